import { expect, test } from 'vitest';
import { newTeam } from './key-holder.ts';
import { problem } from './problem.ts';
import type { RunningService } from './running-service.ts';

/** What is wrong with a body, the body, and the JSON Pointers of the answer, in its order. */
export type RefusedBody = [name: string, body: unknown, ...pointers: string[]];

/** Declares that bodies are refused at `path` with the places of all that is wrong with them. */
export function refusedWithPlaces(
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
