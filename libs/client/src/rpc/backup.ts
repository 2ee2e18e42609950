import { createClient, type Transport } from '@connectrpc/connect';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from '../call-options.ts';
import { translated } from './records.ts';
import { toRpcError } from './rpc-error.ts';

/** A page of rows takes far less; a service that is still counting at the end of a restore may take this long. */
const restoreTimeoutMs = 120_000;
/** A backup is as long as the data: its stream has no deadline but the caller's signal. */
const noTimeout = 0;

/** Some rows of a section of a service's data. */
export interface BackupPage {
  section: string;
  /** One JSON object a line; empty for a section without rows. */
  lines: Uint8Array;
}

/** Backup and restore of one service. Every method throws RpcError. */
export interface ServiceBackup {
  /** Reads all data. */
  read(signal: AbortSignal): AsyncIterable<BackupPage>;
  /** Throws `conflict` unless the service is empty, or an interrupted restore left what is there. */
  check(options?: CallOptions): Promise<void>;
  /** Begins a restore, as `check`. */
  begin(restoreId: string, options?: CallOptions): Promise<void>;
  /** Writes rows. */
  restore(restoreId: string, page: BackupPage, options?: CallOptions): Promise<void>;
  /** Ends the restore. */
  end(restoreId: string, options?: CallOptions): Promise<void>;
}

/** The services in the order in which they are read: what is made from others' rows, or names them, comes first. */
export const backedUpServices = ['query', 'content', 'analytics', 'auth'] as const;
export type BackedUpService = (typeof backedUpServices)[number];

/** Backup and restore of the whole installation. */
export interface BackupMethods {
  backup: Readonly<Record<BackedUpService, ServiceBackup>>;
}

/** The four methods, which every service has. */
interface BackupClient {
  readBackup(request: object, options?: CallOptions & { timeoutMs?: number }): AsyncIterable<BackupPage>;
  beginRestore(request: { restoreId: string; checkOnly?: boolean }, options?: CallOptions): Promise<unknown>;
  restoreRows(request: BackupPage & { restoreId: string }, options?: CallOptions): Promise<unknown>;
  endRestore(request: { restoreId: string }, options?: CallOptions): Promise<unknown>;
}

/** Makes the methods. */
export function backupMethods(transport: Transport): BackupMethods {
  return {
    backup: {
      query: serviceBackup(createClient(QueryService, transport)),
      content: serviceBackup(createClient(ContentService, transport)),
      analytics: serviceBackup(createClient(AnalyticsService, transport)),
      auth: serviceBackup(createClient(AuthService, transport)),
    },
  };
}

function serviceBackup(client: BackupClient): ServiceBackup {
  const timed = (options: CallOptions = {}) => ({ timeoutMs: restoreTimeoutMs, ...options });
  return {
    async *read(signal) {
      try {
        for await (const { section, lines } of client.readBackup({}, { signal, timeoutMs: noTimeout }))
          yield { section, lines };
      } catch (thrown) {
        throw toRpcError(thrown);
      }
    },
    check: (options) =>
      translated(async () => {
        const restoreId = crypto.randomUUID();
        await client.beginRestore({ restoreId, checkOnly: true }, timed(options));
      }),
    begin: (restoreId, options) =>
      translated(async () => void (await client.beginRestore({ restoreId }, timed(options)))),
    restore: (restoreId, page, options) =>
      translated(
        async () =>
          void (await client.restoreRows(
            { restoreId, section: page.section, lines: page.lines },
            timed(options),
          )),
      ),
    end: (restoreId, options) =>
      translated(async () => void (await client.endRestore({ restoreId }, timed(options)))),
  };
}
