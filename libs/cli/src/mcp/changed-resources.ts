import { pauseAsClient } from '@teammemory/client/call-options.ts';
import { isTemporary, retryDelayMs } from '@teammemory/client/retries.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { resourceUri } from '@teammemory/mcp/resource-uri.ts';

/** The calls of the client that tell of changes. */
export type ChangesClient = Pick<TeamMemoryClient, 'events' | 'listItems' | 'listDecisions'>;

/** Longest wait between two attempts to read what changed. */
const maxPauseMs = 60_000;
/** Added to the time that the start may have taken: clocks are coarse, and a change that is told twice does no harm. */
const marginMs = 1_000;
const pageRows = 200;

/** A list whose rows are resources. */
interface ResourceList {
  name: 'items' | 'decisions';
  /** Reads the page after a cursor, or of what changed later than `since`. */
  read(range: { cursor?: string; since?: string }): Promise<ChangedPage>;
  since?: string;
  cursor?: string;
  /** The newest change when it was last read to its end; undefined before that. */
  newest?: string | null;
}

interface ChangedPage {
  uris: string[];
  next: string;
  hasMore: boolean;
}

/**
 * Yields the URIs of the items and decisions that change from now on, removed ones too, a page at a time. Outages are
 * waited out and what changed meanwhile follows. Ends by throwing: what the client throws when waiting does not help, and
 * TransportError `cancelled` when the signal aborts.
 */
export async function* changedResources(
  client: ChangesClient,
  team: string,
  { signal, clock }: { signal: AbortSignal; clock: () => number },
): AsyncGenerator<string[]> {
  const startedAt = clock();
  const lists = resourceLists(client, team, signal);
  for await (const newest of client.events({ signal })) {
    for (const list of lists) {
      const latest = newest[list.name];
      if (list.newest === latest) continue;
      // By the clock of the service: what changed while the connection was made is newer than this.
      if (list.newest === undefined) list.since = timeBefore(latest, clock() - startedAt + marginMs);
      yield* readToEnd(list, signal);
      list.newest = latest;
    }
  }
}

function timeBefore(time: string | null, ms: number): string | undefined {
  return time === null ? undefined : new Date(Date.parse(time) - ms).toISOString();
}

async function* readToEnd(list: ResourceList, signal: AbortSignal): AsyncGenerator<string[]> {
  for (let failures = 0; ; ) {
    try {
      const { uris, next, hasMore } = await list.read(list);
      failures = 0;
      list.cursor = next;
      if (uris.length > 0) yield uris;
      if (!hasMore) return;
    } catch (thrown) {
      if (!isTemporary(thrown)) throw thrown;
      failures += 1;
      await pauseAsClient(Math.min(retryDelayMs(failures, thrown), maxPauseMs), signal);
    }
  }
}

function resourceLists(client: ChangesClient, team: string, signal: AbortSignal): ResourceList[] {
  const given = { limit: pageRows, includeDeleted: true, signal };
  return [
    {
      name: 'items',
      async read({ cursor, since }) {
        const page = await client.listItems({ ...given, cursor, since, view: 'summary' });
        const uris = page.items.map(({ row_key }) => resourceUri(team, row_key));
        return { uris, next: page.next_cursor, hasMore: page.has_more };
      },
    },
    {
      name: 'decisions',
      async read({ cursor, since }) {
        const page = await client.listDecisions({ ...given, cursor, since });
        const uris = page.decisions.map((row) => resourceUri(team, `decisions/${row.decision_id}`));
        return { uris, next: page.next_cursor, hasMore: page.has_more };
      },
    },
  ];
}
