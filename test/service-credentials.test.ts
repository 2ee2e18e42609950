import { randomUUID } from 'node:crypto';
import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { callContent, exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

describeEachService('service credentials', (service) => {
  const asAdmin = <Result>(work: (admin: AdminClient) => Promise<Result>) => asAdministrator(service(), work);
  async function create(scopes: string[]) {
    const name = `service-${randomUUID()}`;
    const { credential } = await asAdmin((admin) => admin.createServiceCredential({ name, scopes }));
    return { name, credential };
  }
  /** Exchanges as a stranger would, and returns the whole answer. */
  const exchanged = (credential: string) =>
    rpcCall({
      rpcUrl: service().rpcUrl,
      protocol: 'connect',
      method: 'teammemory.auth.v1.AuthService/ExchangeCredential',
      message: { credential, audience: 'content' },
    });

  test('open what their scopes say, for any team, and nothing else', async () => {
    const { team, teamKey } = await newTeam(service());
    await team.push(item('a.md', 'marmalade'));
    const claims = (await exchange(service(), teamKey)).split('.')[1] ?? '';
    const { teamId } = JSON.parse(Buffer.from(claims, 'base64url').toString()).principal.caller;
    const reader = await exchange(service(), (await create(['feed:read'])).credential);
    const read = await callContent(service(), reader, 'ReadFeed', { teamId });
    expect(read).toMatchObject({ code: 'ok', message: { entries: [{ rowKey: 'a.md' }] } });
    expect(await callContent(service(), reader, 'ListFeeds', {})).toMatchObject({ code: 'ok' });
    const refused: [string, object][] = [
      ['ListItems', {}],
      ['GetDecision', { teamId, decisionId: 'x' }],
      ['CreateDecision', { teamId, decision: { title: 'x', audience: 'TIER_TEAM' } }],
    ];
    for (const [method, message] of refused) {
      expect((await callContent(service(), reader, method, message)).code, method).toBe('permission_denied');
    }
    const other = await exchange(service(), (await create(['auth:read'])).credential);
    expect((await callContent(service(), other, 'ReadFeed', { teamId })).code).toBe('permission_denied');
    expect((await callContent(service(), other, 'ListFeeds', {})).code).toBe('permission_denied');
  });

  test('are looked at only when they are short: a long one is refused before it is read whole', async () => {
    // The pieces in which a message arrives differ, and with them what a connection is counted to hold.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await exchanged(`tmss_${'0'.repeat(100_000)}`)).code).toBe('resource_exhausted');
    }
  });

  test('are no keys of the public API', async () => {
    const { slug } = await newTeam(service());
    const { credential } = await create(['auth:read', 'feed:read']);
    for (const key of [credential, credential.replace('tmss_', 'tms_')]) {
      const { status, body } = await keyHolder(service(), { slug }, key).pull();
      expect([status, body.code]).toEqual([401, 'invalid_key']);
    }
  });

  test('are revoked by name, and refused in the same words as any that never was', async () => {
    const { name, credential } = await create(['feed:read']);
    expect((await exchanged(credential)).code).toBe('ok');
    expect(await asAdmin((admin) => admin.revokeServiceCredential(name))).toMatchObject({ name });
    const answer = await exchanged(credential);
    expect(answer.code).toBe('unauthenticated');
    expect(answer).toEqual(await exchanged('nothing like it'));
    const again = asAdmin((admin) => admin.createServiceCredential({ name, scopes: ['feed:read'] }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    const listed = (await asAdmin((admin) => Array.fromAsync(admin.listServiceCredentials()))).flat();
    expect(listed.find((one) => one.name === name)?.revoked_at).not.toBeNull();
    expect(JSON.stringify(listed)).not.toContain(credential.slice(-43));
  });

  test('are named in the log when they are exchanged, and never shown there', async () => {
    const { name, credential } = await create(['feed:read']);
    await exchanged(credential);
    const logged = () => service().output().stderr;
    await eventually('the line about it', () => logged().includes(`"service":"${name}"`));
    expect(logged()).not.toContain(credential.slice(-43));
  });
});
