import { randomUUID } from 'node:crypto';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const services = {
  analytics: AnalyticsService,
  auth: AuthService,
  content: ContentService,
  query: QueryService,
};

describeEachService('operators', (service) => {
  const name = () => `op-${randomUUID().slice(0, 8)}`;

  test('administer every service with a token of their own, under their own name, until they are revoked', async () => {
    const operator = name();
    const { token } = await asAdministrator(service(), (admin) => admin.createOperator({ name: operator }));
    const slug = `of-${operator}`;
    const own = { rpcUrl: service().rpcUrl, adminToken: token };
    await asAdministrator(own, async (admin) => {
      await admin.createTeam({ slug, name: 'Theirs' });
      await admin.projects(slug).create({ slug: 'web', name: 'Web' });
      await Array.fromAsync(admin.backup.query.read(AbortSignal.timeout(60_000)));
      await Array.fromAsync(admin.backup.analytics.read(AbortSignal.timeout(60_000)));
      const acts = (
        await Array.fromAsync(admin.audit.list('auth', { actor: `administrator:${operator}` }))
      ).flat();
      expect(acts.map(({ action }) => action)).toEqual(['team.create', 'team.create']);
      const inContent = await Array.fromAsync(admin.audit.list('content', { team: slug }));
      expect(inContent.flat().map(({ actor }) => actor)).toEqual(Array(2).fill(`administrator:${operator}`));
    });
    await asAdministrator(service(), async (admin) => {
      expect(await admin.revokeOperator(operator)).toMatchObject({ revoked_at: expect.any(String) });
      const listed = (await Array.fromAsync(admin.listOperators())).flat();
      expect(listed).toContainEqual(expect.objectContaining({ name: operator }));
      expect(JSON.stringify(listed)).not.toContain(token.split('_')[2]);
    });
    // A new connection has no token that was given before.
    const refused = asAdministrator(own, (admin) => admin.createTeam({ slug: `${slug}-2`, name: 'x' }));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_key' });
  });

  test('have names that are given once, and never that of the first administrator', async () => {
    const operator = name();
    await asAdministrator(service(), async (admin) => {
      await admin.createOperator({ name: operator });
      await expect(admin.createOperator({ name: operator })).rejects.toMatchObject({
        code: 'already_exists',
      });
      for (const bad of ['bootstrap', '', 'Ada', 'a b'])
        await expect(admin.createOperator({ name: bad }), bad).rejects.toMatchObject({
          code: 'invalid_request',
        });
      await expect(admin.revokeOperator(name())).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  test('are made and seen by administrators alone, and their token is no key and no caller token', async () => {
    const { slug, teamKey } = await newTeam(service());
    const member = await exchange(service(), teamKey, 'auth');
    for (const method of ['CreateOperator', 'ListOperators', 'RevokeOperator']) {
      const { code } = await rpcCall({
        rpcUrl: service().rpcUrl,
        protocol: 'connect',
        method: `teammemory.auth.v1.AuthService/${method}`,
        message: { name: 'mine' },
        authorization: member,
      });
      expect(code, method).toBe('permission_denied');
    }
    const { token } = await asAdministrator(service(), (admin) => admin.createOperator({ name: name() }));
    const answer = await fetch(`${service().url}/api/v1/items`, {
      headers: { authorization: `Bearer ${token}`, 'x-svc-team': slug },
    });
    expect(answer.status).toBe(401);
    const raw = await rpcCall({
      rpcUrl: service().rpcUrl,
      protocol: 'connect',
      method: 'teammemory.auth.v1.AuthService/ListTeams',
      authorization: `Bearer ${token}`,
    });
    expect(raw.code).toBe('unauthenticated');
  });

  describe('a credential of a service that is held to a team', () => {
    let one: TeamClients & { teamId: string };
    let other: TeamClients & { teamId: string };
    let tokens: Record<keyof typeof services, string>;
    const idOf = async (key: string) => {
      const claims = (await exchange(service(), key)).split('.')[1] ?? '';
      return JSON.parse(Buffer.from(claims, 'base64url').toString()).principal.caller.teamId as string;
    };
    beforeEach(async () => {
      const [first, second] = [await newTeam(service()), await newTeam(service())];
      await first.team.push(item('a.md', 'marmalade'));
      await second.team.push(item('b.md', 'marmalade'));
      one = { ...first, teamId: await idOf(first.teamKey) };
      other = { ...second, teamId: await idOf(second.teamKey) };
      const scopes = ['auth:read', 'feed:read', 'search:read'].map((scope) => `${scope}@${one.slug}`);
      // One for each service: a key has only so many refused calls in a minute.
      const all = Object.keys(services).map(async (audience) => {
        const { credential } = await asAdministrator(service(), (admin) =>
          admin.createServiceCredential({ name: name(), scopes }),
        );
        return [audience, await exchange(service(), credential, audience)];
      });
      tokens = Object.fromEntries(await Promise.all(all));
    });
    const call = (audience: keyof typeof services, method: string, message: object, streaming = false) =>
      rpcCall({
        rpcUrl: service().rpcUrl,
        protocol: 'connect',
        message,
        streaming,
        method: `${services[audience].typeName}/${method}`,
        authorization: tokens[audience],
      });

    test('opens that team', async () => {
      const read = await call('content', 'ReadFeed', { teamId: one.teamId });
      expect(read).toMatchObject({ code: 'ok', message: { entries: [{ rowKey: 'a.md' }] } });
      const authenticated = await call('auth', 'Authenticate', { key: one.teamKey });
      expect(authenticated).toMatchObject({ code: 'ok', message: { caller: { teamSlug: one.slug } } });
      const found = await call('query', 'ListItemCoverage', { teamId: one.teamId, rowKeys: ['a.md'] });
      expect(found.code).toBe('ok');
    });

    test('opens no method for another team, which looks like one that does not exist', async () => {
      const nowhere = randomUUID();
      const opened: string[] = [];
      for (const [audience, { methods }] of Object.entries(services)) {
        for (const method of methods) {
          if (method.name === 'ExchangeCredential') continue;
          const fields = method.input.fields.map(({ jsonName }) => jsonName);
          const about = (teamId: string, teamSlug: string) => ({
            ...(fields.includes('teamId') && { teamId }),
            ...(fields.includes('teamSlug') && { teamSlug }),
          });
          const streaming = method.methodKind !== 'unary';
          const ask = (message: object) => call(audience as 'auth', method.name, message, streaming);
          const [asked, missing] = [
            await ask(about(other.teamId, other.slug)),
            await ask(about(nowhere, 'no-such-team')),
          ];
          expect([asked.code, asked.message?.message], method.name).toEqual([
            missing.code,
            missing.message?.message,
          ]);
          expect(asked.code, method.name).not.toBe('resource_exhausted');
          if (asked.code === 'ok') opened.push(method.name);
        }
      }
      // This one lists the teams that the credential is for.
      expect(opened).toEqual(['ListFeeds']);
      const { message } = await call('content', 'ListFeeds', {});
      expect(message.feeds.map(({ teamId }: { teamId: string }) => teamId)).toEqual([one.teamId]);
    });

    test('takes the key of another team for none', async () => {
      const [strange, made] = [
        await call('auth', 'Authenticate', { key: other.teamKey }),
        await call('auth', 'Authenticate', { key: 'tms_0000000000000000_nonsense' }),
      ];
      expect(strange.code).not.toBe('ok');
      expect(strange.message).toEqual(made.message);
    });
  });
});
