import { ConnectError } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import type { Principal } from '../auth/principal.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { type CallOrigin, createCallBudgets } from './call-budgets.ts';

const mebibyte = 1024 * 1024;
const member = (keyId: string): Principal => ({
  kind: 'member',
  direct: true,
  caller: {
    teamId: 't',
    teamSlug: 't',
    memberId: 'm',
    memberHandle: 'ada',
    tier: 'external',
    keyId,
  },
});
const { createProject, listItems } = ContentService.method;

function start() {
  const time = { nowMs: 0 };
  const budgets = createCallBudgets({ clock: () => time.nowMs });
  const begin = (more: Partial<CallOrigin> = {}) =>
    budgets.begin({ principal: member('k'), isOpen: false, address: 'a', method: listItems, ...more });
  return { time, begin };
}

/** The code and `retry-after` of a refusal; undefined where there is none. */
function refusalOf(work: () => unknown): [string, string | null] | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return [appErrorFromRpc(thrown).code, ConnectError.from(thrown).metadata.get('retry-after')];
  }
}

test('a key calls a method as often a minute as its proto says, whatever other keys and methods do', () => {
  const { time, begin } = start();
  const create = (principal = member('k')) => begin({ principal, method: createProject }).end();
  for (let call = 0; call < 60; call += 1) create();
  expect(refusalOf(() => create())).toEqual(['rate_limited', '61']);
  expect(refusalOf(() => create(member('other')))).toBeUndefined();
  expect(refusalOf(() => begin().end())).toBeUndefined();
  time.nowMs = 61_000;
  expect(refusalOf(() => create())).toBeUndefined();
});

test('calls of the gateway, of parts and of administrators are not counted', () => {
  const { begin } = start();
  const gateway = { ...member('k') } as Extract<Principal, { kind: 'member' }>;
  delete gateway.direct;
  for (const principal of [
    gateway,
    { kind: 'service', name: 'query', scopes: [] },
    { kind: 'administrator', name: 'bootstrap' },
  ] satisfies Principal[]) {
    for (let call = 0; call < 100; call += 1) begin({ principal, method: createProject }).end();
  }
});

test('a key whose calls are refused too often, or in too many bytes, is refused before anything is read, with the time to wait', () => {
  for (const [calls, bytes] of [
    [120, 1],
    [16, 4 * mebibyte],
  ] as const) {
    const { time, begin } = start();
    for (let call = 0; call < calls; call += 1) {
      const charge = begin();
      charge.hold(bytes);
      charge.refused('invalid');
      charge.end();
    }
    expect(refusalOf(begin)).toEqual(['rate_limited', '61']);
    expect(refusalOf(() => begin({ principal: member('other') }).end())).toBeUndefined();
    time.nowMs = 61_000;
    expect(refusalOf(() => begin().end())).toBeUndefined();
  }
});

test.each([
  ['a key', 32, (call: number) => ({ address: `a${call}` })],
  ['an address', 128, (call: number) => ({ principal: member(`k${call}`) })],
  ['all', 256, (call: number) => ({ principal: member(`k${call}`), address: `a${call}` })],
])('bytes in flight of %s are bounded, and there is room again when calls end', (_, mebibytes, origin) => {
  const { begin } = start();
  const charges = Array.from({ length: mebibytes / 4 }, (_, call) => begin(origin(call)));
  for (const charge of charges) charge.hold(4 * mebibyte);
  const late = begin(origin(1_000));
  expect(refusalOf(() => late.hold(1))).toEqual(['rate_limited', '1']);
  late.end();
  for (const charge of charges) charge.end();
  const again = begin(origin(0));
  expect(refusalOf(() => again.hold(4 * mebibyte))).toBeUndefined();
});

test('answers that are not read count as well', () => {
  const { begin } = start();
  begin().note(33 * mebibyte);
  expect(refusalOf(begin)).toEqual(['rate_limited', '1']);
});

test('calls under way are bounded per key, and those without a token per address and in all', () => {
  const open = { principal: undefined, isOpen: true, method: AuthService.method.exchangeCredential };
  for (const [most, origin] of [
    [100, () => ({})],
    [128, () => open],
    [512, (call: number) => ({ ...open, address: `a${call}` })],
  ] as const) {
    const { begin } = start();
    const charges = Array.from({ length: most }, (_, call) => begin(origin(call)));
    expect(refusalOf(() => begin(origin(1_000)))).toEqual(['rate_limited', '1']);
    charges[0]?.end();
    expect(refusalOf(() => begin(origin(0)))).toBeUndefined();
  }
});
