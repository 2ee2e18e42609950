import { expect } from 'vitest';
import type { Answer } from './api.ts';

/** What every answer to hostile input is: no fault of ours, and a whole problem without the inside where it is refused. */
export function expectOrderlyAnswer({ status, headers, body }: Answer, what: string): void {
  expect(status, what).toBeLessThan(500);
  if (status < 300) return;
  expect(headers.get('content-type'), what).toMatch(/^application\/problem\+json/);
  expect(body, what).toMatchObject({ status, code: expect.any(String), request_id: expect.any(String) });
  expect(JSON.stringify(body), what).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d|\/services\/|Error:/);
  // Beside counts, errors are about items; elsewhere they are places of the request.
  if (body.errors === undefined || body.accepted !== undefined) return;
  for (const { pointer } of body.errors) expect(pointer, what).toMatch(/^(\/.*)?$/s);
}
