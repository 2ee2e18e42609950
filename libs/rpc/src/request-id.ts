const sane = /^[A-Za-z0-9._:-]{1,128}$/;

/** A caller's own request id, if it is one that can stand in logs and answers; else undefined. */
export function saneRequestId(header: unknown): string | undefined {
  return typeof header === 'string' && sane.test(header) ? header : undefined;
}
