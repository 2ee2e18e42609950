import type { Log } from '@teammemory/log/log.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { watchName } from './name-resolver.ts';

/** Follows a name until the end of the test; `answers` are those of the resolver, the last one again and again. */
function follow(answers: (() => Promise<readonly string[]>)[]) {
  const told: (readonly string[])[] = [];
  const warnings: object[] = [];
  const count = { looks: 0 };
  const follower = watchName({
    name: 'parts.test',
    resolve() {
      count.looks += 1;
      return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? Promise.resolve([]);
    },
    everyMs: 1,
    lateMs: 20,
    log: { warn: (fields: object) => warnings.push(fields) } as unknown as Log,
    onAddresses: (addresses) => told.push(addresses),
  });
  onTestFinished(follower.close);
  return { follower, told, warnings, count };
}
const are = (...addresses: string[]) => Promise.resolve(addresses);

test('addresses are told in one order, each once, and again when there are others', async () => {
  const { told } = follow([() => are('10.0.0.2', '10.0.0.1', '10.0.0.2'), () => are('10.0.0.3')]);
  await eventually('the change', () => told.some(([first]) => first === '10.0.0.3'));
  expect(told[0]).toEqual(['10.0.0.1', '10.0.0.2']);
});

test('a name server that fails or knows nobody tells nothing, and is asked again', async () => {
  const fails = () => Promise.reject(new Error('SERVFAIL'));
  const { told } = follow([() => are('10.0.0.1'), fails, () => are(), () => are('10.0.0.2')]);
  await eventually('the change', () => told.length >= 2);
  expect(told.slice(0, 2)).toEqual([['10.0.0.1'], ['10.0.0.2']]);
});

test('a name server that does not answer is told once in the log, asked once, and its late answer counts', async () => {
  const late = Promise.withResolvers<readonly string[]>();
  const { told, warnings, count } = follow([() => late.promise, () => are('10.0.0.2')]);
  await eventually('the word in the log', () => warnings.length > 0);
  expect(count.looks).toBe(1);
  late.resolve(['10.0.0.1']);
  await eventually('the answers', () => told.length >= 2);
  expect([told.slice(0, 2), warnings.length]).toEqual([[['10.0.0.1'], ['10.0.0.2']], 1]);
});

test('a name of very many addresses counts as 64', async () => {
  const { told } = follow([() => are(...Array.from({ length: 100 }, (_, last) => `10.0.0.${last}`))]);
  expect((await eventually('the answer', () => told[0])).length).toBe(64);
});

test('a follower that is closed tells nothing more', async () => {
  const late = Promise.withResolvers<readonly string[]>();
  const { follower, told, count } = follow([() => late.promise]);
  follower.close();
  late.resolve(['10.0.0.1']);
  await new Promise(setImmediate);
  follower.lookAgain();
  expect([told, count.looks]).toEqual([[], 1]);
});
