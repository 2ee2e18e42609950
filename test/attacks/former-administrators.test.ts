import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { callContent, exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({ WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' });

test('a token from before a demotion or a revocation leaves nothing that lasts: no key, member, address, link or webhook', {
  timeout: 120_000,
}, async () => {
  const { service } = attacked();
  const { rpcUrl } = service;
  const team = await service.createTeam();
  const auth = await exchange(service, team.teamKey, 'auth');
  const content = await exchange(service, team.teamKey, 'content');
  const callAuth = async (name: string, message: object) => {
    const method = `teammemory.auth.v1.AuthService/${name}`;
    const call = { rpcUrl, protocol: 'connect', method, message, authorization: auth } as const;
    return (await rpcCall(call)).code;
  };
  const teamSlug = team.slug;
  const acts: [string, () => Promise<string>][] = [
    ['a key', () => callAuth('CreateKey', { teamSlug, memberHandle: 'bo', tier: 'TIER_TEAM' })],
    ['a member', () => callAuth('AddMember', { teamSlug, handle: 'eve', role: 'MEMBER_ROLE_ADMIN' })],
    [
      'an address',
      () => callAuth('AddSignInAddress', { teamSlug, memberHandle: 'ada', address: 'eve@example.com' }),
    ],
    [
      'a webhook',
      async () => (await callContent(service, content, 'CreateWebhook', { url: 'https://127.0.0.1/' })).code,
    ],
  ];
  const codes = () => Promise.all(acts.map(async ([, act]) => act()));
  await besideBystanders({ ...attacked(), name: 'a former administrator', boundMegabytes: 50 }, async () => {
    await asAdministrator(service, (admin) =>
      admin.addMember({ team: teamSlug, handle: 'bo', role: 'admin' }),
    );
    await asAdministrator(service, (admin) =>
      admin.setMemberRole({ team: teamSlug, handle: 'ada', role: 'member' }),
    );
    expect(await codes()).toEqual(acts.map(() => 'permission_denied'));
    await asAdministrator(service, (admin) =>
      admin.setMemberRole({ team: teamSlug, handle: 'ada', role: 'admin' }),
    );
    expect(await acts[3]?.[1]()).toBe('ok');
    const keyId = team.teamKey.split('_')[1] ?? '';
    await asAdministrator(service, (admin) => admin.revokeKey(keyId));
    expect(await codes()).toEqual(acts.map(() => 'unauthenticated'));
    expect(await callAuth('CreateKey', { teamSlug, memberHandle: 'ada', tier: 'TIER_TEAM' })).toBe(
      'unauthenticated',
    );
    expect(await callAuth('CreateSignInLink', {})).toBe('unauthenticated');
  });
});
