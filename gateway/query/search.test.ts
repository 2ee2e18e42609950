import { create } from '@bufbuild/protobuf';
import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { RankedPassageSchema, SearchResponseSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import type { Clients } from '../clients.ts';
import { passageFromProto, type SearchDependencies, searchPassages } from './search.ts';

const passage = create(RankedPassageSchema, {
  rowKey: 'a.md',
  title: 'A',
  headings: ['One'],
  text: 'Text.',
  tier: Tier.EXTERNAL,
  score: 1.5,
  kind: 'item',
});

/** One search a minute over a query service that does what a test says. */
function setUp(search: Clients['search']) {
  const overdue = new AbortController();
  const headers: Record<string, unknown> = {};
  let held = 0;
  const dependencies: SearchDependencies = {
    clients: { search, unary: async () => ({}) } as Partial<Clients> as Clients,
    searches: createRollingWindow({ limit: 1, clock: () => 0 }),
    overdue: overdue.signal,
    openAnswer: () => {
      held += 1;
      return () => {
        held -= 1;
      };
    },
  };
  const run = () =>
    searchPassages(
      dependencies,
      { q: 'What?', limit: 10 },
      {
        request: { id: 'r', caller: { teamId: 'team', keyId: 'key' } } as never,
        answer: { headers: (values) => Object.assign(headers, values) },
        signal: new AbortController().signal,
      },
    );
  return { run, headers, overdue, held: () => held };
}

test('a day and a status that nobody knows are null', () => {
  const shown = {
    row_key: 'a.md',
    title: 'A',
    headings: ['One'],
    text: 'Text.',
    tier: 'external',
    kind: 'item',
    score: 1.5,
  };
  expect(passageFromProto(passage)).toEqual({ ...shown, date: null, status: null });
  const known = { ...passage, date: '2026-11-02', status: 'open', tier: Tier.TEAM };
  expect(passageFromProto(known)).toEqual({ ...shown, tier: 'team', date: '2026-11-02', status: 'open' });
});

test.for([
  [0n, false],
  [1n, true],
] as const)('where %i passages are not indexed, incomplete is %s', async ([missingPassages, incomplete]) => {
  const coverage = { passages: 9n, missingPassages };
  const { run } = setUp(async () => create(SearchResponseSchema, { passages: [passage], coverage }));
  expect(await run()).toEqual({ passages: [passageFromProto(passage)], incomplete });
});

test('a search counts whatever its outcome, gives its permit back, and the next one is refused by the name of the limit', async () => {
  const { run, headers, held } = setUp(async () => {
    throw new AppError('unavailable', 'Too much.');
  });
  await expect(run()).rejects.toMatchObject({ code: 'unavailable', message: 'Too much.' });
  expect(headers).toEqual({ 'ratelimit-policy': '"searches";q=1;w=60', ratelimit: '"searches";r=0;t=60' });
  await expect(run()).rejects.toMatchObject({ code: 'rate_limited' });
  expect([headers['retry-after'], held()]).toEqual([60, 0]);
});

test('a search that the end of the gateway cuts off is told so', async () => {
  const { run, overdue } = setUp(async () => {
    overdue.abort();
    throw new AppError('cancelled', 'Stopped.');
  });
  await expect(run()).rejects.toMatchObject({ code: 'unavailable', message: /shutting down/ });
});
