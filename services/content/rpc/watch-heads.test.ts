import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import type { WatchHeadsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { principalKey } from '@teammemory/rpc/auth/caller-context.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { expect, test } from 'vitest';
import type { ChangeListener } from '../domain/feed/changed-teams.ts';
import { watchHeadsHandler } from './watch-heads.ts';

const gateway: Principal = { kind: 'service', name: 'gateway', scopes: [] };

/** Opens a stream as somebody; `tell` is what a look does. */
function open(principal: Principal) {
  const listeners = new Set<ChangeListener>();
  const follow = (listener: ChangeListener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const gone = new AbortController();
  const context = { values: createContextValues().set(principalKey, principal), signal: gone.signal };
  const handler = watchHeadsHandler({ changed: { follow } as never });
  const messages = handler(
    {} as never,
    context as unknown as HandlerContext,
  ) as AsyncIterable<WatchHeadsResponse>;
  const tell = (...teamIds: string[]) => {
    for (const listener of listeners) listener(teamIds);
  };
  return { messages: messages[Symbol.asyncIterator](), tell, listeners, gone };
}

test('a slow reader is told of each team once, a thousand at a time, and holds nothing after it left', async () => {
  const { messages, tell, listeners, gone } = open(gateway);
  const first = messages.next();
  tell();
  expect(await first).toEqual({ done: false, value: { teamIds: [] } });
  for (let round = 0; round < 3; round += 1) {
    for (let team = 0; team < 1_500; team += 1) tell(`team ${team}`);
  }
  const told = [await messages.next(), await messages.next()].map(({ value }) => value.teamIds);
  expect(told.map(({ length }) => length)).toEqual([1_000, 500]);
  expect(new Set(told.flat()).size).toBe(1_500);
  const last = messages.next();
  gone.abort();
  expect(await last).toEqual({ done: true, value: undefined });
  expect(listeners.size).toBe(0);
});

test.each<Principal>([
  { ...gateway, direct: true },
  { kind: 'service', name: 'search-mirror', scopes: ['feed:read'] },
  { kind: 'administrator', name: 'bootstrap' },
])(
  'nobody but the gateway of the installation is told which teams change: not $kind $name',
  async (other) => {
    const { messages, listeners } = open(other);
    await expect(messages.next()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(listeners.size).toBe(0);
  },
);
