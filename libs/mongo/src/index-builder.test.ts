import { eventually } from '@teammemory/testkit/eventually.ts';
import { type Db, MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { createIndexBuilder, type Warn } from './index-builder.ts';

const indexes = [{ key: { team_id: 1 } }];

/** A builder on a server that answers the n-th request for indexes as `answers` says, and one to drop any as `drop` does. */
function builderOn(answers: (() => Promise<unknown>)[], drop: (index: string) => Promise<void> = never) {
  let asked = 0;
  const warnings: unknown[] = [];
  const createIndexes = () => (answers[asked++] ?? answers.at(-1) ?? (async () => undefined))();
  const db = { collection: () => ({ createIndexes, dropIndex: drop }) } as unknown as Db;
  const warn: Warn = ({ collection, index }) => void warnings.push(`${collection} ${index}`);
  return { builder: createIndexBuilder({ db, isPassing, warn }), asked: () => asked, warnings };
}
const never = () => Promise.reject(new Error('nothing is to be dropped'));
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

test('what earlier versions had is dropped once its successors are there, and not before', async () => {
  const built = Promise.withResolvers<void>();
  const dropped: string[] = [];
  const { builder } = builderOn([() => built.promise], async (index) => void dropped.push(index));
  const ensured = builder.ensure('items', indexes, ['old', 'older']);
  expect(dropped).toEqual([]);
  built.resolve();
  await ensured;
  await eventually('both are dropped', () => dropped.length === 2);
});

test('an index that cannot be dropped costs a line of the log and nothing else; one that is not there costs none', async () => {
  const { builder, warnings } = builderOn([async () => undefined], async (index) => {
    throw new MongoServerError({ message: 'no', code: index === 'gone' ? 27 : 13 });
  });
  await builder.ensure('items', indexes, ['gone', 'kept']);
  await eventually('a warning', () => warnings.length > 0);
  expect(warnings).toEqual(['items kept']);
  expect(builder.areBuilt()).toBe(true);
});
