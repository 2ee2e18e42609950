import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const path = '/sign-in-links';
const post = { method: 'POST' };
const twoMinutesMs = 120_000;

describeEachService('sign-in links', (service) => {
  /** Calls the auth service as whoever the credential stands for, through the RPC port that everybody reaches. */
  async function callAuth(method: string, message: object, credential: string) {
    const authorization = await exchange(service(), credential, 'auth');
    return rpcCall({
      rpcUrl: service().rpcUrl,
      protocol: 'connect',
      authorization,
      message,
      method: `teammemory.auth.v1.AuthService/${method}`,
    });
  }

  test('are made with any key, whatever its tier and access, and stored by no proxy', async () => {
    const { team, external, readKey, slug } = await newTeam(service());
    for (const holder of [team, external, keyHolder(service(), { slug }, readKey)]) {
      const before = Date.now();
      const { status, headers, body } = await holder.call(path, post);
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      expect(Object.keys(body).toSorted()).toEqual(['expires_at', 'sign_in_token']);
      expect(body.sign_in_token).toMatch(/^tmsl_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
      const lifetimeMs = Date.parse(body.expires_at) - before;
      expect(Math.abs(lifetimeMs - twoMinutesMs)).toBeLessThan(10_000);
    }
  });

  test('are no keys, and a session is opened by nobody but the gateway itself', async () => {
    const { team, teamKey, slug } = await newTeam(service());
    const { sign_in_token: signInToken } = (await team.call(path, post)).body;
    const used = await keyHolder(service(), { slug }, signInToken).pull();
    expect({ status: used.status, body: used.body }).toEqual({ status: 401, body: problem('invalid_key') });
    const { credential } = await asAdministrator(service(), (admin) =>
      admin.createServiceCredential({ name: `gateway-${randomUUID()}`, scopes: ['auth:read'] }),
    );
    for (const caller of [teamKey, credential]) {
      expect((await callAuth('OpenSession', { signInToken }, caller)).code).toBe('permission_denied');
      expect((await callAuth('EndSession', { session: 'tmsn_' }, caller)).code).toBe('permission_denied');
    }
    expect((await callAuth('EndSessions', {}, teamKey)).message).toEqual({});
    const direct = await callAuth('CreateSignInLink', {}, teamKey);
    expect(direct.message.signInToken).toMatch(/^tmsl_/);
  });
});

describeEachService('the limit of sign-in links', (service) => {
  test('is ten a minute and key', async () => {
    const { team, external } = await newTeam(service());
    for (let made = 0; made < 10; made++) expect((await team.call(path, post)).status).toBe(201);
    const { status, headers, body } = await team.call(path, post);
    expect({ status, body }).toEqual({ status: 429, body: problem('rate_limited') });
    expect(body.detail).toContain('10 sign-in links per 60 seconds');
    expect(headers.get('ratelimit-policy')).toBe('"sign-in-links";q=10;w=60');
    expect((await external.call(path, post)).status).toBe(201);
  });
});
