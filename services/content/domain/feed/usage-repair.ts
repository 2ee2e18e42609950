import { setTimeout as delay } from 'node:timers/promises';
import type { FeedStore, Recount } from './feed-store.ts';
import { maxPageMarks, type TeamMarkStore } from './team-marks.ts';

/** Work of one call of `repairUsage`: below the deadline of calls, with room for one large team. */
const maxCallMs = 2_000;
/** Teams that were written to so long before the newest write are looked at by a start: a killed process left their counts. */
const writtenBeforeMs = 60 * 60 * 1_000;

/** The feeds whose rows are counted. */
type CountedFeeds = Readonly<Record<'items' | 'tasks' | 'decisions', FeedStore>>;

/** What a repair found, in teams. */
export interface Repair {
  checked: number;
  repaired: number;
  /** Teams that were written to all the time; nothing was changed. */
  busy: number;
}

/** Counts again what a team has in each feed. */
async function recount({ items, tasks, decisions }: CountedFeeds, teamId: string): Promise<Recount> {
  const found: Recount[] = [];
  for (const feed of [items, tasks, decisions]) found.push(await feed.recount(teamId));
  if (found.includes('busy')) return 'busy';
  return found.includes('repaired') ? 'repaired' : 'right';
}

/**
 * Counts again what teams have, in the order of their ids, for some time. `nextTeamId` is where the next call goes on; empty
 * after the last team. `clock` is milliseconds that never go back.
 * @throws AppError `unavailable`; the reason of `signal`.
 */
export async function repairUsage(
  { feeds, clock }: { feeds: CountedFeeds; clock: () => number },
  afterTeamId: string,
  signal: AbortSignal,
): Promise<Repair & { nextTeamId: string }> {
  const repair = { checked: 0, repaired: 0, busy: 0 };
  const endMs = clock() + maxCallMs;
  for (let after = afterTeamId; ; ) {
    signal.throwIfAborted();
    const next = await Promise.all([feeds.items.teamAfter(after), feeds.decisions.teamAfter(after)]);
    const [teamId] = next.filter((team) => team !== undefined).sort();
    if (teamId === undefined) return { ...repair, nextTeamId: '' };
    const found = await recount(feeds, teamId);
    repair.checked += 1;
    if (found !== 'right') repair[found] += 1;
    if (clock() >= endMs) return { ...repair, nextTeamId: teamId };
    after = teamId;
  }
}

/**
 * Counts again, in the background, what those teams have that were written to last: a process that was killed may have
 * left rows of them uncounted. Pauses as long as it works. Returns a function that ends it.
 */
export function startUsageRepair(dependencies: {
  marks: Pick<TeamMarkStore, 'after' | 'newestAt'>;
  feeds: CountedFeeds;
  /** Is told of a team whose counts were wrong. */
  onRepaired: (teamId: string) => void;
  onError: (error: unknown) => void;
}): () => Promise<void> {
  const { marks, feeds, onRepaired, onError } = dependencies;
  const closing = new AbortController();

  async function repairTeam(teamId: string): Promise<void> {
    const beganMs = performance.now();
    try {
      if ((await recount(feeds, teamId)) === 'repaired') onRepaired(teamId);
    } catch (error) {
      onError(error);
    }
    const pauseMs = performance.now() - beganMs;
    await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    // Teams that are written to meanwhile have newer marks, and may come twice.
    for (
      let at = (await marks.newestAt()) - writtenBeforeMs, length = maxPageMarks;
      length === maxPageMarks;
    ) {
      const page = await marks.after(at);
      for (const { teamId } of page) {
        if (closing.signal.aborted) return;
        await repairTeam(teamId);
      }
      ({ length } = page);
      at = page.at(-1)?.at ?? at;
    }
  }

  const running = run().catch(onError);
  return async () => {
    closing.abort();
    await running;
  };
}
