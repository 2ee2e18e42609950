import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({});
const services = { auth: 'auth.v1.AuthService', content: 'content.v1.ContentService' } as const;
type Part = keyof typeof services;

test('the audit log of a team is read by its administrators only, and a place in that of another team leads nowhere', {
  timeout: 120_000,
}, async () => {
  const { service } = attacked();
  const [mine, other] = [await newTeam(service), await newTeam(service)];
  for (const team of [mine, other]) {
    const name = `${randomUUID()}.md`;
    await team.team.push(item(name, 'x'));
    await team.team.remove(name);
  }
  const list = async (part: Part, authorization: string | undefined, message: object = {}) => {
    const method = `teammemory.${services[part]}/ListTeamAuditEntries`;
    const { rpcUrl } = service;
    return rpcCall({ rpcUrl, protocol: 'connect', method, message, ...(authorization && { authorization }) });
  };
  await asAdministrator(service, (admin) =>
    admin.addMember({ team: mine.slug, handle: 'bo', role: 'member' }),
  );
  const memberKey = await mine.newKey('team', { member: 'bo', access: 'write' });
  const tokens = async (key: string) => ({
    auth: await exchange(service, key, 'auth'),
    content: await exchange(service, key, 'content'),
  });
  const administrator = await tokens(mine.teamKey);
  const otherAdministrator = await tokens(other.teamKey);
  const weak = {
    'a guest': await tokens(mine.externalKey),
    'a key that only reads': await tokens(mine.readKey),
    'a member': await tokens(memberKey),
  };
  await besideBystanders(
    { ...attacked(), name: 'readers of the audit log', boundMegabytes: 50 },
    async () => {
      for (const part of ['auth', 'content'] as const) {
        expect((await list(part, undefined)).code).toBe('unauthenticated');
        for (const [who, token] of Object.entries(weak))
          expect([who, (await list(part, token[part])).code]).toEqual([who, 'permission_denied']);
        const page = await list(part, administrator[part], { pageSize: 1 });
        expect(page.code).toBe('ok');
        const { nextPageToken, entries } = page.message;
        // A hash of the log would let its reader guess what is left out, and a sequence counts what others do.
        expect(nextPageToken).toBe(`${Date.parse(entries[0].at)}.1`);
        const elsewhere = await list(part, otherAdministrator[part], { pageToken: nextPageToken });
        expect(elsewhere.code).toBe('ok');
        const teams = elsewhere.message.entries?.map(({ teamId }: { teamId: string }) => teamId) ?? [];
        expect(teams).not.toContain(entries[0].teamId);
        for (const pageToken of [
          '1',
          '9'.repeat(40),
          `1.${'g'.repeat(64)}`,
          "1' OR 1=1",
          `${nextPageToken} `,
        ])
          expect((await list(part, administrator[part], { pageToken })).code).toBe('invalid_argument');
      }
      await asAdministrator(service, (admin) =>
        admin.addMember({ team: mine.slug, handle: 'cy', role: 'admin' }),
      );
      await asAdministrator(service, (admin) =>
        admin.setMemberRole({ team: mine.slug, handle: 'ada', role: 'member' }),
      );
      for (const part of ['auth', 'content'] as const)
        expect([part, (await list(part, administrator[part])).code]).toEqual([part, 'permission_denied']);
    },
  );
});
