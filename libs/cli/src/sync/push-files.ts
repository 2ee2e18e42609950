import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewItem } from '@teammemory/client/item.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { CliError } from '../cli-error.ts';
import { missingIsUndefined } from './file-system.ts';
import { type PushPlan, planPush } from './plan-push.ts';
import type { PushSource, SourceFile } from './push-source.ts';
import { maxBytesPerPush, maxItemsPerPush, type SendItemsDependencies, sendItems } from './send-items.ts';
import type { KnownFile, SyncState } from './sync-state.ts';

/** A file that was not pushed. */
export interface PushError {
  row_key: string;
  code: string;
  detail: string;
  /** For `conflict`: checksum of the version that the service has. */
  current_checksum?: string | null;
}

export interface PushSummary {
  /** Files that the service accepted. */
  pushed: number;
  /** Files that were not sent because the service already has them. */
  unchanged: number;
  rejected: number;
  errors: PushError[];
}

export interface PushFilesDependencies extends SendItemsDependencies {
  tier: Tier | 'admin' | undefined;
  /** Called with the number of files that are finished. */
  advance(files: number): void;
}

type Planned = Extract<PushPlan, { kind: 'send' }>;

/**
 * Pushes what changed in all sources in batches, and stores the state of each accepted batch, so that an interrupted push
 * continues where it stopped. A file that cannot be pushed does not stop the others. Throws what the client throws.
 */
export async function pushFiles(
  sources: readonly PushSource[],
  dependencies: PushFilesDependencies,
): Promise<PushSummary> {
  const summary: PushSummary = { pushed: 0, unchanged: 0, rejected: 0, errors: [] };
  const taken = new Map<string, string>();
  for (const source of sources) {
    try {
      await pushSource(source, taken, summary, dependencies);
    } finally {
      await source.state?.save();
    }
  }
  return { ...summary, rejected: summary.errors.length };
}

async function pushSource(
  { state, files }: PushSource,
  taken: Map<string, string>,
  summary: PushSummary,
  dependencies: PushFilesDependencies,
): Promise<void> {
  let batch: Planned[] = [];
  let batchBytes = 0;
  const flush = async () => {
    await pushBatch(batch, state, summary, dependencies);
    batch = [];
    batchBytes = 0;
  };
  for (const file of files) {
    dependencies.signal.throwIfAborted();
    const planned = await planFile(file, state, taken, summary, dependencies);
    if (planned === undefined) continue;
    const bytes = Buffer.byteLength(JSON.stringify(planned.item));
    if (batch.length === maxItemsPerPush || (batch.length > 0 && batchBytes + bytes > maxBytesPerPush))
      await flush();
    batch.push(planned);
    batchBytes += bytes;
  }
  if (batch.length > 0) await flush();
}

/** Plans one file, and counts it if nothing has to be sent. `taken` has the path of every row_key so far. */
async function planFile(
  file: SourceFile,
  state: SyncState | undefined,
  taken: Map<string, string>,
  summary: PushSummary,
  dependencies: PushFilesDependencies,
): Promise<Planned | undefined> {
  const first = taken.get(file.rowKey);
  try {
    if (first === undefined) {
      taken.set(file.rowKey, file.path);
      const known = state?.files.get(file.rowKey);
      const plan = await planPush(file, known, dependencies.tier);
      if (plan.kind === 'send') {
        await refuseWhileConflictWaits(state, known);
        return plan;
      }
      summary.unchanged += 1;
    } else if (first !== file.path) {
      throw new CliError('duplicate_row_key', `The file was not pushed: ${first} has the same row_key.`);
    }
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    summary.errors.push({ row_key: file.rowKey, code: thrown.code, detail: thrown.message });
  }
  dependencies.advance(1);
  return undefined;
}

/** A pull wrote the other version beside the file. As long as that copy exists, the two are not merged. */
async function refuseWhileConflictWaits(
  state: SyncState | undefined,
  known: KnownFile | undefined,
): Promise<void> {
  if (state === undefined || known?.conflict_file === undefined) return;
  const copy = await stat(join(state.folder, known.conflict_file)).catch(missingIsUndefined);
  if (copy === undefined) return;
  const detail = `The file was not pushed: merge ${known.conflict_file} into it, then delete that copy.`;
  throw new CliError('conflict', detail);
}

async function pushBatch(
  batch: readonly Planned[],
  state: SyncState | undefined,
  summary: PushSummary,
  dependencies: PushFilesDependencies,
): Promise<void> {
  const items: NewItem[] = batch.map(({ item }) => item);
  const outcomes = await sendItems(items, dependencies);
  for (const [index, { item, known }] of batch.entries()) {
    const error = outcomes[index];
    if (error) {
      const { code, detail, current_checksum } = error;
      summary.errors.push({ row_key: item.row_key, code, detail, current_checksum });
      continue;
    }
    summary.pushed += 1;
    state?.files.set(item.row_key, known);
  }
  dependencies.advance(batch.length);
  await state?.saveIfDue();
}
