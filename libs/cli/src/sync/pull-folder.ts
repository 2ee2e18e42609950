import type { ItemPage } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type InstructionRule, type PullConflict, type PullOutcome, pullRow } from './pull-row.ts';
import type { SyncState } from './sync-state.ts';

/** Items have at most 1 MiB each, so 50 of them fit into the memory of any machine. */
const itemsPerPage = 50;

export interface PullSummary {
  written: number;
  removed: number;
  unchanged: number;
  conflicts: PullConflict[];
  /** Row_keys of written files that tools may take for instructions; left out if there are none. */
  instructions?: string[];
  /** Row_keys of items from guests that were not written for that reason; left out if there are none. */
  skipped?: string[];
  /** Cursor of the next pull; null before the first page. */
  cursor: string | null;
}

export interface PullFolderDependencies {
  client: Pick<TeamMemoryClient, 'followItems'>;
  state: SyncState;
  /** What to do with files from guests that tools would take for instructions. */
  instructions: InstructionRule;
  signal: AbortSignal;
}

/**
 * Writes everything that changed since the last pull into `root`, a real path. The cursor advances only after a whole
 * page is in the folder. Throws what the client and the file system throw.
 */
export async function pullFolder(root: string, dependencies: PullFolderDependencies): Promise<PullSummary> {
  const { state } = dependencies;
  // The skipped items are before the cursor, so the pull starts over.
  if (dependencies.instructions === 'take' && state.skipped.size > 0) state.cursor = undefined;
  const obeyed: string[] = [];
  const summary: PullSummary = { written: 0, removed: 0, unchanged: 0, conflicts: [], cursor: null };
  try {
    for await (const page of changedPages(dependencies)) {
      for (const row of page.items) {
        const outcome = await pullRow(root, row, state, dependencies.instructions);
        count(summary, outcome);
        if (outcome === 'obeyed') obeyed.push(row.row_key);
      }
      state.cursor = page.next_cursor;
      await state.saveIfDue();
    }
  } finally {
    await state.save();
  }
  if (obeyed.length > 0) summary.instructions = obeyed;
  if (state.skipped.size > 0) summary.skipped = [...state.skipped];
  return { ...summary, cursor: state.cursor ?? null };
}

/** A cursor is valid for one service and one tier of key. If it is refused, the pull starts over. */
async function* changedPages({ client, state, signal }: PullFolderDependencies): AsyncGenerator<ItemPage> {
  const options = { limit: itemsPerPage, includeDeleted: true, signal };
  try {
    yield* client.followItems({ ...options, cursor: state.cursor });
  } catch (thrown) {
    const isForeign = thrown instanceof ProblemError && thrown.code === 'invalid_cursor';
    if (!isForeign || state.cursor === undefined) throw thrown;
    state.cursor = undefined;
    yield* client.followItems(options);
  }
}

function count(summary: PullSummary, outcome: PullOutcome): void {
  if (typeof outcome === 'object') summary.conflicts.push(outcome);
  else if (outcome === 'obeyed') summary.written += 1;
  else if (outcome !== 'ignored' && outcome !== 'skipped') summary[outcome] += 1;
}
