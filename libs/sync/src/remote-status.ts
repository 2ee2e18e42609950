import { peekRemote } from './run/fetch-remote.ts';
import { lookAround } from './run/look.ts';
import type { SyncClient } from './service.ts';
import type { Workspace } from './state/workspace.ts';
import type { SkippedFile, TierChange } from './summary.ts';

/** What changed on the service since the last synchronisation. */
export interface RemoteStatus {
  added: string[];
  changed: string[];
  removed: string[];
  tier_changes: TierChange[];
  /** Items that would not become files here. */
  skipped: SkippedFile[];
}

/** Compares the service with what was last in step. Throws what the client throws. */
export async function remoteStatus(
  workspace: Workspace,
  client: SyncClient,
  { signal }: { signal: AbortSignal },
): Promise<RemoteStatus> {
  const remote = await peekRemote(workspace, { client, signal, fetched: () => undefined });
  const { world } = await lookAround(workspace, { writes: false, remote, signal });
  const status: RemoteStatus = { added: [], changed: [], removed: [], tier_changes: [], skipped: [] };
  for (const [rowKey, row] of [...remote].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { inStep } = world.base.get(rowKey) ?? {};
    const known = inStep === undefined || inStep === 'gone' ? undefined : inStep;
    if (row === 'gone') {
      if (known !== undefined) status.removed.push(rowKey);
      continue;
    }
    if (known !== undefined && known.tier !== row.tier) {
      status.tier_changes.push({ row_key: rowKey, from: known.tier, to: row.tier });
    }
    if (known?.checksum === row.checksum) continue;
    const refusal = world.refusal(rowKey, row);
    if (refusal !== undefined) status.skipped.push({ row_key: rowKey, ...refusal });
    else (known === undefined ? status.added : status.changed).push(rowKey);
  }
  return status;
}
