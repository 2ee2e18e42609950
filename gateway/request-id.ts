import { randomUUID } from 'node:crypto';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's own request id where it is sane, else a new one: it stands in logs and answers. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && sane.test(header) ? header : randomUUID();
}
