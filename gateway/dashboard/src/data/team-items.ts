import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { rpc } from '../service/rpc.ts';
import { connection, session } from '../service/session.ts';
import { newestTimes } from './change-stream.ts';
import { feedPageRows, rowsOf } from './use-feed.ts';

/** An item without its text. */
export interface ItemSummary {
  row_key: string;
  title: string;
  tier: 'team' | 'external';
  checksum: string;
  /** ISO 8601. */
  updated_at: string;
  /** Handle of the member who wrote it. */
  updated_by: string;
  /** Whether a guest wrote it. */
  by_guest?: true;
}

type ItemRow = ItemSummary | { row_key: string; updated_at: string; deleted: true };

/** Whose items are in memory, and how far their feed has been read. */
interface Reading {
  owner: string;
  cursor: string;
  byKey: Map<string, ItemSummary>;
}

let reading: Reading | undefined;
let isReading = false;
/** Whether something may have changed since the reading under way began. */
let isWanted = false;

/** Pages of a long list that are read before it is drawn anew. */
const pagesShownAtOnce = 10;

/** The items that this session sees. */
export const teamItems = signal<readonly ItemSummary[]>([]);
/** Whether all of them have been read once. */
export const hasAllItems = signal(false);

/**
 * Keeps the items of the team in memory while the component is shown: read once, then followed. They stay when one goes to
 * another page, and are forgotten when somebody else signs in.
 */
export function useTeamItems(): void {
  useEffect(
    () =>
      effect(() => {
        // Read on at the beginning, after each change, and when the service is there again.
        if (newestTimes.value === undefined || connection.value === 'open') void readOn();
      }),
    [],
  );
}

/** Reads what has changed since the last time; also what changes while it is being read. */
async function readOn(): Promise<void> {
  isWanted = true;
  if (isReading) return;
  isReading = true;
  try {
    while (isWanted) {
      isWanted = false;
      await readToEnd();
    }
  } catch {
    // Read on with the next change, and when the service is there again.
  } finally {
    isReading = false;
  }
}

async function readToEnd(): Promise<void> {
  const now = ownReading();
  for (let pages = 0; ; pages += 1) {
    const { page } = await rpc.content.listItems({
      page: { cursor: now.cursor, limit: feedPageRows, includeDeleted: true },
      summary: true,
    });
    if (now !== reading) return;
    for (const row of rowsOf<ItemRow>(page)) {
      if ('deleted' in row) now.byKey.delete(row.row_key);
      else now.byKey.set(row.row_key, row);
    }
    const isComplete = page?.hasMore !== true;
    if (page !== undefined) now.cursor = page.nextCursor;
    if (isComplete || pages % pagesShownAtOnce === 0) teamItems.value = [...now.byKey.values()];
    if (!isComplete) continue;
    hasAllItems.value = true;
    return;
  }
}

function ownReading(): Reading {
  const { team, member, tier } = session.peek() ?? {};
  const owner = JSON.stringify([team, member, tier]);
  if (reading?.owner !== owner) {
    reading = { owner, cursor: '', byKey: new Map() };
    hasAllItems.value = false;
    teamItems.value = [];
  }
  return reading;
}
