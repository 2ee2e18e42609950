import { readSummaries } from '../../data/item-summaries.ts';
import { pause } from '../../data/pause.ts';
import { type ItemToPush, pushItems } from '../../service/items.ts';
import { problemOf } from '../../service/problem.ts';
import type { PlannedFile } from './plan-upload.ts';

/** As many as a key may push at once, unless the service says otherwise. */
const usualBatchFiles = 50;
/** Half of what the service accepts in a body. */
const maxBatchCharacters = 2 * 1024 * 1024;

/** How an upload goes on. */
export interface Progress {
  /** Called with each file whose state has changed. */
  onFile(file: PlannedFile): void;
  /** Called when the key's limit is reached, and with 0 when it goes on. */
  onWait(seconds: number): void;
  signal: AbortSignal;
}

/**
 * Uploads what is new or changed, some files at a time, and waits where the key's limit is reached. Each file is stored by
 * itself: one that is refused does not keep the others out.
 * @throws Problem if the service cannot be reached or lets nothing in; files that were not sent stay as they are.
 */
export async function sendUpload(planned: readonly PlannedFile[], progress: Progress): Promise<void> {
  const waiting = planned.filter(({ state }) => state === 'new' || state === 'changed');
  let most = usualBatchFiles;
  for (let next = 0; next < waiting.length; ) {
    progress.signal.throwIfAborted();
    const batch = batchFrom(waiting, next, most);
    try {
      await send(batch, progress);
      next += batch.length;
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.code !== 'rate_limited' || problem.limit === undefined) throw problem;
      const { retryAfterSeconds, quota } = problem.limit;
      if (quota > 0 && quota < batch.length) {
        // So many never fit, however long one waits.
        most = quota;
        continue;
      }
      progress.onWait(retryAfterSeconds);
      await pause(retryAfterSeconds, progress.signal);
      progress.onWait(0);
    }
  }
}

function batchFrom(files: readonly PlannedFile[], from: number, most: number): PlannedFile[] {
  let characters = 0;
  const batch: PlannedFile[] = [];
  for (const file of files.slice(from, from + most)) {
    characters += file.item?.content.length ?? 0;
    if (batch.length > 0 && characters > maxBatchCharacters) break;
    batch.push(file);
  }
  return batch;
}

async function send(batch: readonly PlannedFile[], { onFile, signal }: Progress): Promise<void> {
  const stored = await readSummaries(
    batch.map(({ path }) => path),
    signal,
  );
  const items = batch.flatMap(({ item }): ItemToPush[] => {
    if (item === undefined) return [];
    // Who took a note back from guests since the list was made must not see it shown to them again.
    return [stored.get(item.row_key)?.tier === 'team' ? { ...item, tier: 'team' as const } : item];
  });
  const refusals = new Map<number, string>();
  try {
    for (const { index, detail } of (await pushItems(items)).errors) refusals.set(index, detail);
  } catch (thrown) {
    const problem = problemOf(thrown);
    // Where no item was accepted, each has its reason all the same.
    if (problem.refusals === undefined) throw problem;
    for (const { index, detail } of problem.refusals) refusals.set(index, detail);
  }
  for (const [index, file] of batch.entries()) {
    const reason = refusals.get(index);
    const { path } = file;
    onFile(reason === undefined ? { path, state: 'stored', reason: '' } : { path, state: 'refused', reason });
  }
}
