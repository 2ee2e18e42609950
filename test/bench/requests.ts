import { createHash } from 'node:crypto';
import type { RunningService, Team } from '../support/service/running-service.ts';

/** Bytes of an item's content in every measurement. */
export const contentBytes = 2_048;

export type Item = ReturnType<typeof benchItem>;

/** An item of 2 KB of text, different for each number. */
export function benchItem(number: number) {
  const line = `Item ${number} says what a team has to know about its work.\n`;
  const content = line.repeat(Math.ceil(contentBytes / line.length)).slice(0, contentBytes);
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { row_key: `notes/${number}.md`, content, frontmatter: {}, tier: 'team', checksum };
}

/** Numbers from `start` on, cut into batches, as items. */
export function benchBatches(start: number, batches: number, itemsPerBatch: number): Item[][] {
  return Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: itemsPerBatch }, (_, index) => benchItem(start + batch * itemsPerBatch + index)),
  );
}

/** A whole request as the bytes that go over the wire. */
export function requestBytes(team: Team, method: string, path: string, body?: unknown): Uint8Array {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${team.teamKey}`,
    `x-svc-team: ${team.slug}`,
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** The gateway's port. */
export function portOf(service: Pick<RunningService, 'url'>): number {
  return Number(new URL(service.url).port);
}
