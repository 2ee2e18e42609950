import { afterEach, describe, expect, test } from 'vitest';
import type { TaskEntry } from '../domain/tasks/task-entries.ts';
import { createTaskWorker, type TaskBudget, type TaskThread } from './task-worker.ts';

/** Takes some 200 ms of processor time, as much as any text of 256 Ki characters known to us. */
const slowText = `- [ ] ${'![![]('.repeat(160)}\n`.repeat(260);
const quickText = '- [ ] a\n'.repeat(2_000);

let worker: TaskThread | undefined;
afterEach(() => worker?.close());

function workerWith(budget: Partial<TaskBudget> = {}): TaskThread {
  worker = createTaskWorker(budget);
  return worker;
}

const entry = (title: string, line: number): TaskEntry => ({
  title,
  line,
  status: 'open',
  owner: null,
  due: null,
  project: null,
  tags: [],
  heading: null,
});

describe('a text that is read beside the event loop', () => {
  test('has the tasks that it has', async () => {
    const result = await workerWith().read(quickText);
    expect(result?.entries).toHaveLength(2_000);
    expect((await workerWith().read(slowText))?.entries).toHaveLength(260);
  });

  test('does not hold up the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    await workerWith().read(slowText);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('has none where it takes more processor time than its budget, and the next one is read', async () => {
    const limited = workerWith({ processorMs: 60 });
    const [slow, quick] = await Promise.all([
      limited.read(slowText),
      limited.read('- [ ] b\n'.repeat(1_100)),
    ]);
    expect(slow).toBeUndefined();
    expect(quick?.entries).toHaveLength(1_100);
  });

  test('has none where it takes more memory than its budget, and the next one is read', async () => {
    const limited = workerWith({ heapMegabytes: 10 });
    expect(await limited.read('# a\n'.repeat(60_000))).toBeUndefined();
    expect((await limited.read(' '.repeat(9_000)))?.entries).toEqual([]);
  });

  test('waits for those before it, of which is told how many they are', async () => {
    const busy = workerWith();
    const reading = [busy.read(quickText), busy.read(quickText), busy.read(quickText)];
    expect(busy.waiting()).toBe(2);
    await Promise.all(reading);
    expect(busy.waiting()).toBe(0);
  });

  test('is given up when the worker is closed', async () => {
    const closing = workerWith();
    const reading = [closing.read(slowText), closing.read(quickText)].map((read) =>
      read.catch(({ code }) => code),
    );
    await closing.close();
    expect(await Promise.all(reading)).toEqual(['unavailable', 'unavailable']);
    await expect(closing.read(quickText)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('a short text is read at once', async () => {
  const idle = workerWith();
  expect((await idle.read('- [ ] a\n'))?.entries).toMatchObject([{ title: 'a' }]);
  expect(idle.waiting()).toBe(0);
});

describe('tasks that are compared beside the event loop', () => {
  const titles = (suffix: string) =>
    Array.from({ length: 400 }, (_, index) =>
      entry(`Write chapter ${index} of the long book${suffix}`, index),
    );

  test('are matched as others are', async () => {
    const matches = await workerWith().match(titles(''), titles(' today'), []);
    expect(matches).toEqual(Array.from({ length: 400 }, (_, index) => index));
  });

  test('are matched by equal titles alone where the rest takes more than the budget', async () => {
    const random = (seed: number) =>
      Array.from({ length: 2_000 }, (_, index) => {
        const letters = Array.from({ length: 300 }, (_, at) => 97 + ((index * 7_919 + at * seed) % 26));
        return entry(String.fromCharCode(...letters), index);
      });
    const same = entry('the same', 2_000);
    const limited = workerWith({ processorMs: 60 });
    const matches = await limited.match([...random(31), same], [same, ...random(37)], []);
    expect(matches[0]).toBe(2_000);
  });
});
