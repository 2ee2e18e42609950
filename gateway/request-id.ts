import { randomUUID } from 'node:crypto';
import { saneRequestId } from '@teammemory/rpc/request-id.ts';

/** The caller's own request id where it is sane, else a new one: it stands in logs and answers. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return saneRequestId(header) ?? randomUUID();
}
