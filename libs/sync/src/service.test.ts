import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { expectTypeOf, it } from 'vitest';
import type { SyncClient } from './service.ts';

it('the client of the SDK is one that synchronising can work with', () => {
  const asSyncClient = (client: TeamMemoryClient): SyncClient => client;
  expectTypeOf(asSyncClient).returns.toEqualTypeOf<SyncClient>();
});
