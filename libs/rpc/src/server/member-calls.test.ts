import { ConnectError } from '@connectrpc/connect';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import type { Principal } from '../auth/principal.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { createMemberCalls } from './member-calls.ts';

const { createProject, listItems } = ContentService.method;

function member(keyId: string, direct?: true): Principal {
  const caller = {
    teamId: 't',
    teamSlug: 't',
    memberId: 'm',
    memberHandle: 'ada',
    tier: 'external',
    access: 'own',
    keyId,
  } as const;
  return { kind: 'member', caller, ...(direct && { direct }) };
}

/** The code and `retry-after` of a refusal; undefined where there is none. */
function refusalOf(work: () => void): [string, string | null] | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return [appErrorFromRpc(thrown).code, ConnectError.from(thrown).metadata.get('retry-after')];
  }
}

test('a key calls a method as often a minute as its proto says, whatever other keys and methods do', () => {
  let nowMs = 1;
  const calls = createMemberCalls(() => nowMs);
  for (let call = 0; call < 60; call += 1) calls.count(member('k', true), createProject);
  expect(refusalOf(() => calls.count(member('k', true), createProject))).toEqual(['rate_limited', '61']);
  expect(refusalOf(() => calls.count(member('other', true), createProject))).toBeUndefined();
  expect(refusalOf(() => calls.count(member('k', true), listItems))).toBeUndefined();
  nowMs = 61_000;
  expect(refusalOf(() => calls.count(member('k', true), createProject))).toBeUndefined();
});

test('calls of the gateway, of parts and of administrators are not counted', () => {
  const calls = createMemberCalls(() => 0);
  for (const principal of [
    member('k'),
    { kind: 'service', name: 'query', scopes: [] },
    { kind: 'administrator', name: 'bootstrap' },
  ] satisfies Principal[]) {
    for (let call = 0; call < 100; call += 1) calls.count(principal, createProject);
  }
});
