import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from '@teammemory/rpc/caller-token.ts';
import { connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import { expect, test } from 'vitest';
import { createCallers } from './caller.ts';

const caller = {
  teamId: 'team-id',
  teamSlug: 'blue',
  memberId: 'member-id',
  memberHandle: 'ada',
  tier: Tier.EXTERNAL,
  keyId: 'A'.repeat(16),
};

function callersWith(options: { expiresAtMs?: number } = {}) {
  const state = { asked: 0, revoked: false, nowMs: 1_700_000_000_000 };
  const transport = createRouterTransport(({ service }) => {
    service(AuthService, {
      authenticate() {
        state.asked += 1;
        if (state.revoked) throw connectErrorFrom(new AppError('invalid_key', 'no'));
        return {
          caller,
          ...(options.expiresAtMs === undefined ? {} : { expiresAt: timestampFromMs(options.expiresAtMs) }),
        };
      },
    });
  });
  const keys = generateSigningKeys();
  const clock = () => state.nowMs;
  const callers = createCallers({
    auth: createClient(AuthService, transport),
    signer: createTokenSigner({ ...keys, clock }),
    clock,
  });
  return { state, callers, verifier: createTokenVerifier({ publicKeys: [keys.publicKey], clock }) };
}

test('a key is asked for once while it is known, however many requests come at once', async () => {
  const { state, callers } = callersWith();
  const all = await Promise.all(Array.from({ length: 20 }, () => callers.authenticate('Bearer good')));
  expect(all[0]).toEqual({ ...caller, tier: 'external' });
  await callers.authenticate('bearer good');
  expect(state.asked).toBe(1);
});

test('a revoked key is refused within 5 seconds', async () => {
  const { state, callers } = callersWith();
  await callers.authenticate('Bearer good');
  state.revoked = true;
  state.nowMs += 4_999;
  await expect(callers.authenticate('Bearer good')).rejects.toMatchObject({ code: 'invalid_key' });
});

test('a key that expires is asked for again at that moment', async () => {
  const { state, callers } = callersWith({ expiresAtMs: 1_700_000_001_000 });
  await callers.authenticate('Bearer good');
  state.nowMs += 1_000;
  await callers.authenticate('Bearer good');
  expect(state.asked).toBe(2);
});

test('what cannot be a key is refused without asking', async () => {
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

test('a refusal is not remembered', async () => {
  const { state, callers } = callersWith();
  state.revoked = true;
  await expect(callers.authenticate('Bearer good')).rejects.toMatchObject({ code: 'invalid_key' });
  state.revoked = false;
  expect(await callers.authenticate('Bearer good')).toMatchObject({ keyId: caller.keyId });
});

test('tokens are kept for a while, renewed before they expire and good for one service only', async () => {
  const { state, callers, verifier } = callersWith();
  const known = await callers.authenticate('Bearer good');
  const token = await callers.tokenFor(known, 'content');
  expect(await callers.tokenFor(known, 'content')).toBe(token);
  expect((await verifier.verify(token, 'content')).principal).toEqual({ kind: 'member', caller: known });
  await expect(verifier.verify(token, 'query')).rejects.toMatchObject({ code: 'unauthenticated' });
  state.nowMs += 46_000;
  const renewed = await callers.tokenFor(known, 'content');
  expect(renewed).not.toBe(token);
});
