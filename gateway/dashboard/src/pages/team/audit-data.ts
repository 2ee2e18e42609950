import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AuditEntry } from '@teammemory/proto/common/v1/audit_pb.ts';
import { rpc } from '../../service/rpc.ts';

const pageRows = 100;
/** The services that keep an audit log. */
const services = ['auth', 'content'] as const;

/** What has been read of the log of one service, newest first. */
export interface LogOfService {
  entries: AuditEntry[];
  /** For the next page; empty at the end. */
  nextPageToken: string;
}

/** Reads the newest entries of each service that a member made, or that all did where `memberHandle` is empty. */
export function readNewest(memberHandle: string, signal: AbortSignal): Promise<LogOfService[]> {
  return Promise.all(services.map((service) => readPage(service, { memberHandle, pageToken: '' }, signal)));
}

/** Reads one more page of each service that has one. */
export function readOlder(memberHandle: string, logs: readonly LogOfService[]): Promise<LogOfService[]> {
  return Promise.all(
    logs.map(async (log, index) => {
      const { entries, nextPageToken: pageToken } = log;
      const service = services[index];
      if (pageToken === '' || service === undefined) return log;
      const older = await readPage(service, { memberHandle, pageToken });
      return { entries: [...entries, ...older.entries], nextPageToken: older.nextPageToken };
    }),
  );
}

/**
 * Returns the entries of all services, newest first, down to where one has more that was not read, and without the first of
 * the two entries of an act.
 */
export function inOrder(logs: readonly LogOfService[]): AuditEntry[] {
  const unread = logs.filter(({ nextPageToken }) => nextPageToken !== '');
  const readTo = Math.max(0, ...unread.map(({ entries }) => timeOf(entries.at(-1))));
  return logs
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.outcome !== 'begun' && timeOf(entry) >= readTo)
    .sort((one, other) => timeOf(other) - timeOf(one));
}

function timeOf(entry: AuditEntry | undefined): number {
  return entry?.at === undefined ? 0 : timestampDate(entry.at).getTime();
}

async function readPage(
  service: (typeof services)[number],
  wanted: { memberHandle: string; pageToken: string },
  signal?: AbortSignal,
): Promise<LogOfService> {
  return rpc[service].listTeamAuditEntries({ ...wanted, pageSize: pageRows }, signal && { signal });
}
