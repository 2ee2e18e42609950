import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createRouterTransport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from '@teammemory/rpc/auth/caller-token.ts';
import { connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import { expect, test } from 'vitest';
import { createCallers } from './caller.ts';
import { createAuthClient } from './clients.ts';

const caller = {
  teamId: 'team-id',
  teamSlug: 'blue',
  memberId: 'member-id',
  memberHandle: 'ada',
  tier: Tier.EXTERNAL,
  access: Access.WRITE,
  keyId: 'A'.repeat(16),
};

function callersWith(options: { expiresAtMs?: number } = {}) {
  const state = {
    asked: 0,
    signed: 0,
    revoked: false,
    isAdministrator: false,
    nowMs: 1_700_000_000_000,
    monotonicMs: 0,
  };
  const transport = createRouterTransport(({ service }) => {
    service(AuthService, {
      authenticate() {
        state.asked += 1;
        if (state.revoked) throw connectErrorFrom(new AppError('invalid_key', 'no'));
        return {
          caller: { ...caller, teamAdministrator: state.isAdministrator },
          ...(options.expiresAtMs === undefined ? {} : { expiresAt: timestampFromMs(options.expiresAtMs) }),
        };
      },
    });
  });
  const keys = generateSigningKeys();
  const clock = () => state.nowMs;
  const signer = createTokenSigner({ ...keys, clock });
  const callers = createCallers({
    auth: createAuthClient(transport),
    signer: {
      sign(...of) {
        state.signed += 1;
        return signer.sign(...of);
      },
    },
    clock,
    monotonicClock: () => state.monotonicMs,
  });
  const pass = (ms: number) => {
    state.nowMs += ms;
    state.monotonicMs += ms;
  };
  return { state, pass, callers, verifier: createTokenVerifier({ publicKeys: [keys.publicKey], clock }) };
}

test('a key is looked up once while it is cached, however many requests arrive at once', async () => {
  const { state, callers } = callersWith();
  const all = await Promise.all(Array.from({ length: 20 }, () => callers.authenticate('Bearer good')));
  expect(all[0]).toEqual({ ...caller, tier: 'external', access: 'write' });
  await callers.authenticate('bearer good');
  expect(state.asked).toBe(1);
});

test.each([
  ['is not changed', 0],
  ['is set back an hour', -3_600_000],
  ['is set forward an hour', 3_600_000],
])('a revoked key is refused within 5 seconds, even if the clock %s', async (_, stepMs) => {
  const { state, pass, callers } = callersWith();
  await callers.authenticate('Bearer good');
  state.revoked = true;
  state.nowMs += stepMs;
  pass(4_999);
  await expect(callers.authenticate('Bearer good')).rejects.toMatchObject({ code: 'invalid_key' });
});

test('a role that changes is that of the caller within 5 seconds', async () => {
  const { state, pass, callers } = callersWith();
  state.isAdministrator = true;
  expect(await callers.authenticate('Bearer good')).toMatchObject({ isTeamAdministrator: true });
  state.isAdministrator = false;
  pass(4_999);
  expect(await callers.authenticate('Bearer good')).not.toHaveProperty('isTeamAdministrator');
});

test('a key is looked up again when it expires', async () => {
  const { state, pass, callers } = callersWith({ expiresAtMs: 1_700_000_001_000 });
  await callers.authenticate('Bearer good');
  pass(999);
  await callers.authenticate('Bearer good');
  expect(state.asked).toBe(1);
  pass(1);
  await callers.authenticate('Bearer good');
  expect(state.asked).toBe(2);
});

test('a header that cannot be a key is refused without a lookup', async () => {
  const { state, callers } = callersWith();
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    `Bearer ${'x'.repeat(300)}`,
  ]) {
    await expect(callers.authenticate(header)).rejects.toMatchObject({ code: 'invalid_key' });
  }
  expect(state.asked).toBe(0);
});

test('a refusal is not cached', async () => {
  const { state, callers } = callersWith();
  state.revoked = true;
  await expect(callers.authenticate('Bearer good')).rejects.toMatchObject({ code: 'invalid_key' });
  state.revoked = false;
  expect(await callers.authenticate('Bearer good')).toMatchObject({ keyId: caller.keyId });
});

test('a token is valid for one service only, and is signed once however many requests need it at once', async () => {
  const { state, callers, verifier } = callersWith();
  const known = await callers.authenticate('Bearer good');
  state.signed = 0;
  const tokens = await Promise.all(Array.from({ length: 100 }, () => callers.tokenFor(known, 'content')));
  expect(state.signed).toBe(1);
  expect(new Set(tokens).size).toBe(1);
  const [token = ''] = tokens;
  expect((await verifier.verify(token, 'content')).principal).toEqual({ kind: 'member', caller: known });
  await expect(verifier.verify(token, 'query')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test.each([-3_600_000, 3_600_000])('after the clock is set by %i ms, tokens are valid', async (stepMs) => {
  const { state, callers, verifier } = callersWith();
  const known = await callers.authenticate('Bearer good');
  await callers.tokenFor(known, 'content');
  state.nowMs += stepMs;
  await verifier.verify(await callers.tokenFor(known, 'content'), 'content');
});
