import type { ItemPage } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type InstructionRule, type PullConflict, type PullOutcome, pullRow } from './pull-row.ts';
import type { SyncState } from './sync-state.ts';

/** Items of at most 1 MiB each: 50 of them fit into memory anywhere. */
const pageLimit = 50;

export interface PullSummary {
  written: number;
  removed: number;
  unchanged: number;
  conflicts: PullConflict[];
  /** Row_keys of files that were written and that tools may obey; left out where there are none. */
  instructions?: string[];
  /** Row_keys of items of guests that are not in the folder because tools would obey them; left out where there are none. */
  skipped?: string[];
  /** Where the next pull goes on; null before the first page. */
  cursor: string | null;
}

export interface PullFolderDeps {
  client: Pick<TeamMemoryClient, 'followItems'>;
  state: SyncState;
  /** What to do with files of guests that tools would obey. */
  instructions: InstructionRule;
  signal: AbortSignal;
}

/**
 * Brings everything that changed since the last pull into `root`, a real path. The
 * cursor moves on only behind a page that is in the folder as a whole. Throws what
 * the client and the file system throw.
 */
export async function pullFolder(root: string, deps: PullFolderDeps): Promise<PullSummary> {
  const { state } = deps;
  // What was skipped lies behind the cursor.
  if (deps.instructions === 'take' && state.skipped.size > 0) state.cursor = undefined;
  const obeyed: string[] = [];
  const summary: PullSummary = { written: 0, removed: 0, unchanged: 0, conflicts: [], cursor: null };
  try {
    for await (const page of changedPages(deps)) {
      for (const row of page.items) {
        const outcome = await pullRow(root, row, state, deps.instructions);
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

/** A cursor belongs to one service and one tier of key; with another it is refused, and the pull starts over. */
async function* changedPages({ client, state, signal }: PullFolderDeps): AsyncGenerator<ItemPage> {
  const options = { limit: pageLimit, includeDeleted: true, signal };
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
