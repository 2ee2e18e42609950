import type { HandlerContext } from '@connectrpc/connect';
import { principalKey } from '@teammemory/rpc/auth/caller-context.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';

/** An export reads many pages; those of one administrator and team within this time are one. */
const exportMs = 10 * 60 * 1_000;
/** Exports that are remembered; one that is forgotten is noted once more. */
const exportsKept = 1_000;

/** Notes in the audit log that an administrator begins to read all of a team. Services that follow feeds are not noted. */
export type NoteExport = (
  context: Pick<HandlerContext, 'values' | 'requestHeader'>,
  teamId: string,
) => Promise<void>;

/** Makes the function that notes exports. `clock`: milliseconds since the epoch. */
export function createNoteExport(audit: Audit, clock: () => number): NoteExport {
  const noted = new Map<string, { atMs: number; noting: Promise<void> }>();
  return async (context, teamId) => {
    const principal = context.values.get(principalKey);
    if (principal?.kind !== 'administrator') return;
    const nowMs = clock();
    const name = `${principal.name} ${teamId}`;
    const known = noted.get(name);
    // A clock that was set back makes it another one.
    if (known !== undefined && Math.abs(nowMs - known.atMs) < exportMs) return known.noting;
    const noting = audit.act(context, { action: 'export', teamId, object: 'feeds' }, async () => undefined);
    noted.delete(name);
    const [oldest] = noted.keys();
    if (noted.size >= exportsKept && oldest !== undefined) noted.delete(oldest);
    noted.set(name, { atMs: nowMs, noting });
    // What could not be noted is tried again.
    noting.catch(() => noted.delete(name));
    return noting;
  };
}
