import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Db } from 'mongodb';
import { expect, test } from 'vitest';
import { createIndexBuilder } from './index-builder.ts';

const indexes = [{ key: { team_id: 1 } }];

/** A builder on a server that answers the n-th request for indexes as `answers` says. */
function builderOn(answers: (() => Promise<unknown>)[]) {
  let asked = 0;
  const createIndexes = () => (answers[asked++] ?? answers.at(-1) ?? (async () => undefined))();
  const db = { collection: () => ({ createIndexes }) } as unknown as Db;
  return { builder: createIndexBuilder({ db, isPassing }), asked: () => asked };
}
const timeOut = async () => {
  throw new Error('deadline');
};
function isPassing(error: unknown): boolean {
  return (error as Error).message === 'deadline';
}

test('indexes that the server builds at once are there when the start goes on', async () => {
  const { builder } = builderOn([async () => undefined]);
  expect(builder.areBuilt()).toBe(true);
  await builder.ensure('items', indexes);
  expect(builder.areBuilt()).toBe(true);
});

test('a build that takes long is asked for again until it is done, and counts as missing meanwhile', async () => {
  const { builder, asked } = builderOn([timeOut, timeOut, async () => undefined]);
  const ensured = builder.ensure('items', indexes);
  expect(builder.areBuilt()).toBe(false);
  await ensured;
  await eventually('the indexes are built', builder.areBuilt);
  expect(asked()).toBe(3);
});

test('an answer that will not change ends the start', async () => {
  const refuse = async () => {
    throw new Error('IndexOptionsConflict');
  };
  const { builder } = builderOn([refuse]);
  await expect(builder.ensure('items', indexes)).rejects.toThrow('IndexOptionsConflict');
  expect(builder.areBuilt()).toBe(false);
});

test('once closed nothing is asked for any more', async () => {
  const { builder, asked } = builderOn([timeOut]);
  const ensured = builder.ensure('items', indexes).catch(() => undefined);
  await eventually('the server is asked', () => asked() > 0);
  builder.close();
  await ensured;
  expect(asked()).toBeLessThanOrEqual(2);
});
