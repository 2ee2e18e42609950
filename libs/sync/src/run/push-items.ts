import type { ItemError } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { maxBatchItems } from '@teammemory/vocabulary/limits.ts';
import {
  allowsSecrets,
  describeSecrets,
  findSecrets,
  hasNoFurtherSecret,
} from '@teammemory/vocabulary/secret-scan.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { checksumOf } from '../format/checksum.ts';
import type { FileContent } from '../format/file-text.ts';
import { frontmatterTier, tierToPush } from '../format/frontmatter-tier.ts';
import { contentFromFile } from '../format/item-file.ts';
import type { InStep } from '../plan/plan-types.ts';
import type { PushedItem } from '../service.ts';
import { SyncError } from '../sync-error.ts';
import { pathOf } from './execute-local.ts';
import { frontmatterOf } from './fetch-remote.ts';
import { type ActionOf, createRecorder, type Run } from './run.ts';
import { maxFileBytes } from './scan.ts';
import { forEachAtOnce } from './waiting.ts';

/** Bytes of JSON: half of what the service accepts in a body. One large item may exceed it. */
const maxBatchBytes = 4 * 1024 * 1024;
/** The default write limit per minute, for a service that does not tell. */
const usualWritesPerMinute = 60;
/** A key whose limit is below that would only wait. */
const parallelFromWritesPerMinute = 1_000;
const batchesAtOnce = 4;
const removalsAtOnce = 4;

type PushAction = ActionOf<'push' | 'rename'>;

interface Prepared {
  action: PushAction;
  item: PushedItem;
  inStep: InStep;
}

/**
 * Pushes files in batches, several at a time where the key's limit allows it. Files are read batch by batch, so the memory
 * that this needs does not grow with the folder. A file that cannot be pushed does not stop the others. Renamed files lose
 * their old name on the service only after the new one was accepted.
 */
export async function pushItems(run: Run, actions: readonly PushAction[]): Promise<void> {
  const limit = run.itemWritesPerMinute ?? usualWritesPerMinute;
  const maxItems = Math.min(maxBatchItems, limit);
  const atOnce = limit >= parallelFromWritesPerMinute ? batchesAtOnce : 1;
  const queue = actions.values();
  let spare: Prepared | undefined;
  const nextBatch = async (): Promise<Prepared[]> => {
    const batch: Prepared[] = [];
    let bytes = 0;
    while (batch.length < maxItems) {
      const prepared = spare ?? (await prepareNext(run, queue));
      spare = undefined;
      if (prepared === undefined) break;
      bytes += sizeOf(prepared.item);
      if (batch.length > 0 && bytes > maxBatchBytes) {
        spare = prepared;
        break;
      }
      batch.push(prepared);
    }
    return batch;
  };
  // Batches are filled one after the other, and sent at the same time.
  let filling: Promise<unknown> = Promise.resolve();
  const takeBatch = () => {
    const batch = filling.then(nextBatch);
    filling = batch.catch(() => undefined);
    return batch;
  };
  await forEachAtOnce(Array(atOnce).keys(), atOnce, async () => {
    for (let batch = await takeBatch(); batch.length > 0; batch = await takeBatch())
      await sendBatch(run, batch);
  });
}

/** About the bytes of an item as JSON, without writing it a second time. */
function sizeOf({ row_key, content, frontmatter, frontmatter_text = '' }: PushedItem): number {
  const texts = row_key.length + frontmatter_text.length + JSON.stringify(frontmatter).length;
  return Buffer.byteLength(content) + texts;
}

/** Reads files until one of them can be pushed. */
async function prepareNext(run: Run, queue: Iterator<PushAction>): Promise<Prepared | undefined> {
  for (let next = queue.next(); !next.done; next = queue.next()) {
    run.signal.throwIfAborted();
    const prepared = await prepare(run, next.value);
    if (prepared !== undefined) return prepared;
  }
  return undefined;
}

async function prepare(run: Run, action: PushAction): Promise<Prepared | undefined> {
  const { rowKey, fileChecksum, origin } = action;
  const { files, objects } = run.workspace;
  try {
    const bytes = await files.read(pathOf(run, rowKey), maxFileBytes);
    if (bytes === undefined || checksumOf(bytes) !== fileChecksum) {
      run.summary.skipped.push({
        row_key: rowKey,
        code: 'changing',
        reason: 'changed while this ran; the next run takes it',
      });
      return undefined;
    }
    const file = contentFromFile(bytes);
    if (!run.allowsSecrets && !allowsSecrets(file.frontmatter)) {
      const told = secretsOf(rowKey, bytes, file, await bytesInStep(run, action));
      if (told !== undefined) return refuseSecrets(run, rowKey, told);
    }
    const { tier, held } = tierToPush({
      asked: run.askedTier,
      audience: frontmatterTier(file.frontmatter),
      origin,
      originAudience: await audienceOf(run, origin),
      keyTier: run.keyTier,
      revives: action.kind === 'push' && action.revives,
      tierIsNews: action.kind === 'push' && action.tierIsNews,
    });
    if (held) {
      const text = `${rowKey} stays internal: others made it so. --tier external publishes it.`;
      run.report({ kind: 'note', code: 'tier_held', text });
    }
    // The base of later merges.
    await objects.put(bytes);
    const isUnedited = action.kind === 'push' && origin?.fileChecksum === fileChecksum && !action.revives;
    const checksum = isUnedited ? origin.checksum : fileChecksum;
    // Front matter that was pushed as data only, and was written as YAML here, stays data only.
    if (checksum !== fileChecksum) delete file.frontmatter_text;
    return {
      action,
      item: { row_key: rowKey, ...file, tier, checksum, base_checksum: action.baseChecksum },
      inStep: {
        checksum,
        fileChecksum,
        tier,
        ...(origin?.narrowed && tier === 'team' && { narrowed: true }),
      },
    };
  } catch (cause) {
    if (cause instanceof SyncError) {
      run.summary.skipped.push({ row_key: rowKey, code: cause.code, reason: cause.message });
      return undefined;
    }
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'CHANGED'].includes(code))
      throw cause;
    run.summary.skipped.push({ row_key: rowKey, code: 'unreadable', reason: `cannot be read (${code})` });
    return undefined;
  }
}

/** Returns the file as the service has it, if it has this one. */
async function bytesInStep(run: Run, action: PushAction): Promise<Uint8Array | undefined> {
  if (action.kind !== 'push' || action.revives || action.origin === undefined) return undefined;
  return run.workspace.objects.get(action.origin.fileChecksum);
}

/** Says which credentials a file has that the service has not got; undefined: none. */
function secretsOf(
  rowKey: string,
  bytes: Uint8Array,
  { frontmatter }: FileContent,
  before: Uint8Array | undefined,
): string | undefined {
  const inName = before === undefined ? findSecrets(rowKey) : [];
  if (inName.length > 0) return `its name has ${inName[0]?.kind}`;
  const decoder = new TextDecoder();
  const known = before === undefined ? [] : findSecrets(decoder.decode(before));
  // The whole file, so that lines are those of the file.
  const found = findSecrets(decoder.decode(bytes));
  if (!hasNoFurtherSecret(found, known)) return describeSecrets(found);
  // As the service reads it: an escape of YAML hides nothing.
  const inData = findSecrets(JSON.stringify(frontmatter));
  const knownData =
    before === undefined ? [] : findSecrets(JSON.stringify(contentFromFile(before).frontmatter));
  return hasNoFurtherSecret(inData, [...known, ...knownData])
    ? undefined
    : `its front matter has ${inData[0]?.kind}`;
}

function refuseSecrets({ summary }: Run, rowKey: string, found: string): undefined {
  // A later look of the same run meets the file again.
  if (summary.rejected.some(({ row_key, code }) => row_key === rowKey && code === 'contains_secret')) return;
  const detail = `${found}; the file stays here until that is taken out, or its front matter says tms: allow-secret`;
  summary.rejected.push({ row_key: rowKey, code: 'contains_secret', detail });
}

async function audienceOf(run: Run, origin: InStep | undefined): Promise<Tier | undefined | 'unknown'> {
  if (origin?.tier !== 'team') return undefined;
  const bytes = await run.workspace.objects.get(origin.fileChecksum);
  if (bytes === undefined) return 'unknown';
  try {
    return frontmatterTier(frontmatterOf(bytes));
  } catch (cause) {
    if (cause instanceof SyncError) return 'unknown';
    throw cause;
  }
}

async function sendBatch(run: Run, batch: readonly Prepared[]): Promise<void> {
  const errors = await send(run, batch);
  if (errors === 'split') {
    const half = Math.ceil(batch.length / 2);
    await sendBatch(run, batch.slice(0, half));
    await sendBatch(run, batch.slice(half));
    return;
  }
  const recorder = createRecorder(run.workspace, (rowKey) => pathOf(run, rowKey));
  for (const [index, prepared] of batch.entries()) {
    const error = errors.get(index);
    if (error === undefined) {
      await accept(run, prepared, recorder);
    } else if (error.code === 'conflict') {
      // Others were faster, or the answer to an earlier push was lost: the feed tells.
      run.lookAgain = true;
    } else if (error.code === proposed) {
      const { row_key } = prepared.item;
      run.summary.skipped.push({ row_key, code: proposed, reason: error.detail });
    } else if (error.code === 'declined') {
      // The service remembers which text a reviewer declined: each run asks, and nothing is remembered here.
      const reason = `is not proposed again until it changes. ${error.detail}`;
      run.summary.skipped.push({ row_key: prepared.item.row_key, code: 'declined', reason });
    } else {
      run.summary.rejected.push({ row_key: prepared.item.row_key, code: error.code, detail: error.detail });
    }
  }
  await recorder.flush();
}

type Refusals = Map<number, Pick<ItemError, 'code' | 'detail'>>;

/**
 * What the service took into its queue of proposals. It is not in step: the service does not have it before a reviewer
 * accepts it, and then the feed brings it.
 */
const proposed = 'proposed';

/**
 * Sends a batch. A refusal of the whole batch, as for a key that may only read, counts for each item, and so does that items
 * were proposed: the answer does not say which.
 */
async function send(run: Run, batch: readonly Prepared[]): Promise<Refusals | 'split'> {
  const items = batch.map(({ item }) => item);
  try {
    const { errors, proposed: waiting = 0 } = await run.waiting.through(items.length, () => {
      return run.client.pushItems(items, { signal: run.signal, retryLimited: false });
    });
    const refused = errors.map((error) => [error.index, error] as const);
    if (waiting === 0) return new Map(refused);
    const waits = { code: proposed, detail: 'waits for a reviewer' };
    return new Map([...items.map((_, index) => [index, waits] as const), ...refused]);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const neverFits =
      thrown.code === 'rate_limited' && thrown.quota !== undefined && thrown.quota < items.length;
    if (batch.length > 1 && (thrown.status === 413 || neverFits)) return 'split';
    const { code, detail } = thrown;
    const isForItems = [
      'forbidden_access',
      'forbidden_tier',
      'invalid_request',
      'payload_too_large',
    ].includes(code);
    if (!isForItems) throw thrown;
    return new Map(items.map((_, index) => [index, { code, detail }]));
  }
}

async function accept(
  run: Run,
  { action, item, inStep }: Prepared,
  recorder: ReturnType<typeof createRecorder>,
): Promise<void> {
  const { row_key: rowKey } = item;
  const { checksum, fileChecksum, tier } = inStep;
  const remote = { checksum, fileChecksum, tier, updatedAt: '', updatedBy: run.member };
  await recorder.add([
    ['base', rowKey, { inStep }],
    ['remote', rowKey, remote],
    ...(run.workspace.state.movedFrom.has(rowKey)
      ? [['moved', rowKey, null] as ['moved', string, null]]
      : []),
  ]);
  if (action.kind === 'push') {
    run.summary.pushed.push(rowKey);
    run.done({ kind: 'push', row_key: rowKey });
    return;
  }
  await recorder.flush();
  if (!(await removeThere(run, action.from, action.origin.checksum))) return;
  run.summary.renamed.push({ from: action.from, to: rowKey });
  run.done({ kind: 'rename', row_key: rowKey, from: action.from });
}

/** Removes items on the service, each only if it is still the version that was removed here. */
export async function removeItems(run: Run, actions: readonly ActionOf<'remove_there'>[]): Promise<void> {
  await forEachAtOnce(actions, removalsAtOnce, async ({ rowKey, baseChecksum }) => {
    if (!(await removeThere(run, rowKey, baseChecksum))) return;
    run.summary.removed_there.push(rowKey);
    run.done({ kind: 'remove_there', row_key: rowKey });
  });
}

async function removeThere(run: Run, rowKey: string, baseChecksum: string): Promise<boolean> {
  run.signal.throwIfAborted();
  try {
    await run.waiting.through(0, () =>
      run.client.deleteItem(rowKey, { baseChecksum, signal: run.signal, retryLimited: false }),
    );
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    if (thrown.code === 'conflict') {
      // Others edited it meanwhile, and edits win.
      run.lookAgain = true;
      return false;
    }
    if (thrown.code === 'forbidden_access' || thrown.code === 'forbidden_tier') {
      run.summary.rejected.push({ row_key: rowKey, code: thrown.code, detail: thrown.detail });
      return false;
    }
    if (thrown.code !== 'not_found') throw thrown;
  }
  await run.workspace.state.commit([
    ['base', rowKey, { inStep: 'gone' }],
    ['remote', rowKey, 'gone'],
  ]);
  return true;
}
