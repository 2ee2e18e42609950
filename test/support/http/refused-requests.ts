import { expect, test } from 'vitest';
import type { RunningService } from '../service/running-service.ts';
import type { Answer } from './api.ts';
import { newTeam } from './key-holder.ts';
import { problem } from './problem.ts';

/** What is wrong with a body, the body, and the JSON Pointers of the answer, in its order. */
export type RefusedBody = [name: string, body: unknown, ...pointers: string[]];

/** Declares that bodies are refused at `path` with the places of all that is wrong with them. */
export function testRefusedBodies(
  service: () => RunningService,
  path: string,
  bodies: readonly RefusedBody[],
): void {
  test.for(bodies)('%s is answered with its places', async ([, body, ...pointers]) => {
    const { team } = await newTeam(service());
    const answer = await team.call(path, { body });
    const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
    expect(answer.body).toEqual({ ...problem('invalid_request'), errors });
    expect(answer.status).toBe(422);
  });
}

/** What every answer to hostile input is: no fault of ours, and a whole problem without the inside where it is refused. */
export function expectAcceptedOrRefused({ status, headers, body }: Answer, what: string): void {
  expect(status, what).toBeLessThan(500);
  if (status < 300) return;
  expect(headers.get('content-type'), what).toMatch(/^application\/problem\+json/);
  expect(body, what).toMatchObject({ status, code: expect.any(String), request_id: expect.any(String) });
  expect(JSON.stringify(body), what).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d|\/services\/|Error:/);
  // Beside counts, errors are about items; elsewhere they are places of the request.
  if (body.errors === undefined || body.accepted !== undefined) return;
  for (const { pointer } of body.errors) expect(pointer, what).toMatch(/^(\/.*)?$/s);
}
