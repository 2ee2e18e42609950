import type { HandlerContext } from '@connectrpc/connect';
import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import type { Restore } from '@teammemory/backup/restore.ts';
import { linesFromPages, rowsFromLines } from '@teammemory/backup/row-lines.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { requireAdministrator } from '../auth/caller-context.ts';
import type { ActOfCall, Audit } from './audit-handlers.ts';

/** The methods that are answered while a restore is unfinished. */
export const backupMethods: ReadonlySet<string> = new Set([
  ...['ReadBackup', 'BeginRestore', 'RestoreRows', 'EndRestore'],
]);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The handlers of the four methods by which every service is backed up and restored. `audit` of a service that has a log:
 * a backup is noted when it begins to be read.
 */
export function backupHandlers({ sections }: BackupStore, restore: Restore, audit?: Audit) {
  const noted = <Result>(
    context: HandlerContext,
    act: Pick<ActOfCall, 'action' | 'object'>,
    run: () => Promise<Result>,
  ) => (audit === undefined ? run() : audit.act(context, act, run));
  return {
    async *readBackup(_request: object, context: HandlerContext) {
      requireAdministrator(context);
      await noted(context, { action: 'backup', object: serviceOf(context) }, async () => undefined);
      for (const { name, fields, read } of sections) {
        // One without rows is named too, so that it can be told from one that is missing.
        yield { section: name, lines: new Uint8Array() };
        for await (const lines of linesFromPages(fields, read(context.signal)))
          yield { section: name, lines: Buffer.from(lines) };
      }
    },
    async beginRestore(
      { restoreId, checkOnly }: { restoreId: string; checkOnly: boolean },
      context: HandlerContext,
    ) {
      requireAdministrator(context);
      if (!uuid.test(restoreId)) throw new AppError('invalid_request', 'The name of a restore is a UUID.');
      await (checkOnly ? restore.check() : restore.begin(restoreId));
      return {};
    },
    async restoreRows(
      { restoreId, section, lines }: { restoreId: string; section: string; lines: Uint8Array },
      context: HandlerContext,
    ) {
      requireAdministrator(context);
      await restore.restore(restoreId, section, ({ fields }) => rowsFromLines(fields, textOf(lines)));
      return {};
    },
    async endRestore({ restoreId }: { restoreId: string }, context: HandlerContext) {
      requireAdministrator(context);
      // The log of this service was replaced by that of the backup, behind which this is noted.
      await noted(context, { action: 'restore', object: restoreId }, () => restore.end(restoreId));
      return {};
    },
  };
}

function serviceOf({ service }: HandlerContext): string {
  return service.typeName.split('.')[1] ?? service.typeName;
}

function textOf(lines: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(lines);
  } catch (cause) {
    throw new AppError('invalid_request', 'The rows are not UTF-8.', { cause });
  }
}
