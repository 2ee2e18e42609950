import { randomUUID } from 'node:crypto';

/** The header that carries the id, in calls and in answers. */
export const requestIdHeader = 'x-request-id';
const sane = /^[A-Za-z0-9._:-]{1,128}$/;

/** A caller's own request id, if it is one that can stand in logs and answers; else undefined. */
export function saneRequestId(header: unknown): string | undefined {
  return typeof header === 'string' && sane.test(header) ? header : undefined;
}

/** The request id of a call: its caller's own, where that is sane, else a new one, which then stands in its headers. */
export function requestIdOf(header: Headers): string {
  const given = saneRequestId(header.get(requestIdHeader));
  if (given !== undefined) return given;
  const made = randomUUID();
  header.set(requestIdHeader, made);
  return made;
}
