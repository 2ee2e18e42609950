import { randomUUID } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createPermits } from '@teammemory/admission/permits.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf, transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { expect, test } from 'vitest';
import type { SearchResult } from '../domain/index/index-host.ts';
import type { FindPassages } from '../domain/search/passage-search.ts';
import { searchHandler } from './questions.ts';

const searcher: Principal = { kind: 'service', name: 'search', scopes: ['search:read'] };

const nothing: SearchResult = {
  passages: [],
  closest: [],
  quotes: { parts: [], sources: [] },
  coverage: { passages: 0, missing: 0 },
};

test('a search takes a place until it has ended, however it ends: one too many is refused', async () => {
  const searches: PromiseWithResolvers<SearchResult>[] = [];
  const findPassages: FindPassages = () => {
    const search = Promise.withResolvers<SearchResult>();
    searches.push(search);
    return search.promise;
  };
  const { acquire: acquirePermit, held } = createPermits({ maxInAll: 3, maxPerTeam: 2 }, 'Ask again.');
  const search = searchHandler({ findPassages, acquirePermit });
  const client = createClient(QueryService, transportAs(rpcService(QueryService, { search }), searcher));
  const searchOf = (teamId: string) => codeOf(client.search({ question: 'quota', teamId }));

  const [wild, other, third] = [randomUUID(), randomUUID(), randomUUID()];
  const open = [searchOf(wild), searchOf(wild)];
  expect(await searchOf(wild)).toBe('unavailable');
  open.push(searchOf(other));
  expect(await searchOf(third)).toBe('unavailable');
  expect(searches).toHaveLength(3);
  searches[0]?.resolve(nothing);
  searches[1]?.reject(new Error('no'));
  searches[2]?.resolve(nothing);
  expect(await Promise.all(open)).toEqual(['ok', 'internal', 'ok']);
  expect(held()).toBe(0);
});
