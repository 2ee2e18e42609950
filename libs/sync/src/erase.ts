import { join } from 'node:path';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { requireStays, rowKeysBelow } from './move.ts';
import { lookAround } from './run/look.ts';
import type { SyncClient } from './service.ts';
import type { Workspace } from './state/workspace.ts';
import type { RefusedFile } from './summary.ts';

/** What became of items that were to be erased. */
export interface ErasureResult {
  erased: string[];
  rejected: RefusedFile[];
}

/**
 * Returns the row_keys that names stand for: files here, and what was in step, that have a name or lie below it. A name of
 * which nothing is known here is itself one, because an item that was removed earlier can be erased too.
 */
export async function findErasable(workspace: Workspace, names: readonly string[]): Promise<string[]> {
  const { tree } = await lookAround(workspace, { writes: false });
  const found = names.flatMap((name) => {
    const below = rowKeysBelow(workspace, tree, name);
    return below.length === 0 ? [name] : below;
  });
  return [...new Set(found)].sort();
}

/**
 * Erases items on the service, with every version of them, and removes their files here. With `keepLocal` the files stay;
 * they have to be private or ignored, or else they would be pushed again. An item that others changed since the last look
 * at the service is refused. Throws SyncError `bad_path` before anything is changed, and what the client throws.
 */
export async function eraseItems(
  workspace: Workspace,
  client: SyncClient,
  rowKeys: readonly string[],
  { keepLocal, signal }: { keepLocal: boolean; signal: AbortSignal },
): Promise<ErasureResult> {
  const { files, root, state } = workspace;
  const { tree } = await lookAround(workspace, { writes: false });
  if (keepLocal) for (const rowKey of rowKeys) requireStays(tree, rowKey);
  const result: ErasureResult = { erased: [], rejected: [] };
  for (const rowKey of rowKeys) {
    signal.throwIfAborted();
    const remote = state.remote.get(rowKey);
    const base = remote === undefined || remote === 'gone' ? {} : { baseChecksum: remote.checksum };
    try {
      await client.deleteItem(rowKey, { ...base, erase: true, signal });
    } catch (thrown) {
      if (!(thrown instanceof ProblemError) || !refusals.has(thrown.code)) throw thrown;
      result.rejected.push({ row_key: rowKey, code: thrown.code, detail: thrown.detail });
      continue;
    }
    await state.commit([
      ['base', rowKey, { inStep: 'gone' }],
      ['remote', rowKey, 'gone'],
    ]);
    if (!keepLocal && tree.files.has(rowKey))
      await files.remove(join(root, tree.paths.get(rowKey) ?? rowKey));
    result.erased.push(rowKey);
  }
  return result;
}

/** Answers about one item, after which others can still be erased. */
const refusals: ReadonlySet<string> = new Set([
  'conflict',
  'not_found',
  'forbidden_access',
  'forbidden_tier',
]);
