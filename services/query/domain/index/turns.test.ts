import { expect, test } from 'vitest';
import { createTurns, type Job } from './turns.ts';

/** A job of so many steps of more than one turn each. */
function* long(steps: number, told: (step: number) => void): Job<string> {
  for (let step = 0; step < steps; step += 1) {
    const startedMs = performance.now();
    while (performance.now() - startedMs < 6);
    told(step);
    yield;
  }
  return 'done';
}

function* short(): Job<number> {
  yield;
  return 7;
}

test('a team with much work lets another one have its turn after each step', async () => {
  const turns = createTurns();
  const steps: number[] = [];
  const first = turns.run(
    'large',
    long(20, (step) => steps.push(step)),
  );
  const second = turns.run(
    'large',
    long(20, () => undefined),
  );
  expect(await turns.run('small', short())).toBe(7);
  expect(steps.length).toBeLessThan(3);
  expect(await Promise.all([first, second])).toEqual(['done', 'done']);
});

test('jobs of a team are done one after the other, whatever becomes of them', async () => {
  const turns = createTurns();
  const told: string[] = [];
  function* job(name: string): Job<void> {
    told.push(`${name} begins`);
    yield* long(2, () => undefined);
    told.push(`${name} ends`);
    if (name === 'b') throw new Error('b fails');
  }
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.run('team', job(name))));
  expect(told).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(turns.underWay().size).toBe(0);
});

test('work that comes when all is done is begun again', async () => {
  const told: (string | undefined)[] = [];
  const turns = createTurns((teamId) => told.push(teamId));
  expect(await turns.run('a', short())).toBe(7);
  expect(await turns.run('b', short())).toBe(7);
  expect(told).toEqual(['a', undefined, 'b', undefined]);
});
