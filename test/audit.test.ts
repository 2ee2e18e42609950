import { randomUUID } from 'node:crypto';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { type AuditAction, auditActions } from '@teammemory/audit/audit-entry.ts';
import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { AuditQuery, AuditRecord } from '@teammemory/client/rpc/audit.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { openSession } from './support/http/browser-session.ts';
import { newTeam } from './support/http/key-holder.ts';
import { callContent, exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** The action of each method that changes something, and of those that copy data. */
const audited: Record<string, AuditAction> = {
  CreateTeam: 'team.create',
  AddMember: 'member.add',
  RemoveMember: 'member.remove',
  SetMemberRole: 'member.role',
  CreateKey: 'key.create',
  RevokeKey: 'key.revoke',
  RotateKey: 'key.rotate',
  CreateServiceCredential: 'service_credential.create',
  RevokeServiceCredential: 'service_credential.revoke',
  AddSignInAddress: 'sign_in_address.add',
  RemoveSignInAddress: 'sign_in_address.remove',
  CreateSignInLink: 'sign_in_link.create',
  CreateInvitation: 'invitation.create',
  RevokeInvitation: 'invitation.revoke',
  ConnectApp: 'app.connect',
  RevokeAppToken: 'key.revoke',
  OpenSession: 'session.open',
  EndSession: 'session.end',
  EndSessions: 'session.end',
  CreateDecision: 'decision.create',
  EditDecision: 'decision.edit',
  RemoveDecision: 'decision.remove',
  CreateProject: 'project.create',
  RemoveProject: 'project.remove',
  RenameProject: 'project.rename',
  AcceptProposal: 'proposal.accept',
  DeclineProposal: 'proposal.decline',
  DeleteItem: 'item.remove',
  EraseItem: 'item.erase',
  EraseMemberTexts: 'member.erase',
  CreateWebhook: 'webhook.create',
  EditWebhook: 'webhook.edit',
  RemoveWebhook: 'webhook.remove',
  ReplayWebhook: 'webhook.replay',
  RotateWebhookSecret: 'webhook.rotate',
  TestWebhook: 'webhook.test',
  ImportItems: 'import',
  ImportDecision: 'import',
  ReadHeads: 'export',
  ReadFeed: 'export',
  ReadProjects: 'export',
  ReadBackup: 'backup',
  EndRestore: 'restore',
  CreateOperator: 'operator.create',
  RevokeOperator: 'operator.revoke',
};
const notAudited: Record<string, string> = {
  PushItems: 'the history of an item tells who wrote it',
  WithdrawProposal: 'a member takes back a text of their own that nobody has accepted',
  ExchangeCredential: 'a program does it every few minutes; that it was refused is in the log',
  Authenticate: 'the gateway does it for every key every few seconds',
  IssueAppTokens: 'an app does it every hour; that a secret was used twice is noted as the end of its key',
  RegisterApp: 'strangers do it; the log tells who lets the app act',
  RecordRefusals: 'it tells of calls, and changes nothing that anybody owns',
  BeginRestore: 'the log is replaced by the restored one; the end of the restore is in it',
  RepairUsage: 'it counts again what is stored, and changes nothing that anybody wrote',
  RestoreRows: 'the end of the restore is in the log',
};

test('every method that changes something has an action, or a reason why it has none', () => {
  const methods = [...AuthService.methods, ...ContentService.methods];
  const changing = methods.filter(
    ({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
  );
  const missing = changing.map(({ name }) => name).filter((name) => !(name in audited || name in notAudited));
  expect(missing).toEqual([]);
  // OpenSession takes invitations, and IssueAppTokens notes second uses. The log itself notes refused calls and its own removals.
  const used = new Set<string>([
    ...Object.values(audited),
    'app.retry',
    'invitation.take',
    'call',
    'audit.prune',
  ]);
  expect(auditActions.filter((action) => !used.has(action))).toEqual([]);
});

describeEachService('the audit log', (service) => {
  const asAdmin = <Result>(work: (admin: AdminClient) => Promise<Result>) => asAdministrator(service(), work);
  const entries = (query: AuditQuery) =>
    asAdmin(async (admin) => {
      const lists = (['auth', 'content'] as const).map((name) =>
        Array.fromAsync(admin.audit.list(name, query)),
      );
      return (await Promise.all(lists)).flat(2);
    });
  const told = (rows: readonly AuditRecord[]) => rows.map(({ action, outcome }) => `${action} ${outcome}`);

  test('has each act of an administrator once when it begins and once when it is done, and nothing secret', async () => {
    const slug = `audit-${randomUUID().slice(0, 8)}`;
    const since = new Date(Date.now() - 60_000);
    const secrets: string[] = [];
    await asAdmin(async (admin) => {
      await admin.createTeam({ slug, name: 'Audited' });
      await admin.addMember({ team: slug, handle: 'ada', role: 'member' });
      await admin.setMemberRole({ team: slug, handle: 'ada', role: 'admin' });
      const key = await admin.createKey({ team: slug, member: 'ada', tier: 'team' });
      const rotated = await admin.rotateKey(key.key_id);
      secrets.push(key.key.split('_')[2] ?? key.key, rotated.key.split('_')[2] ?? rotated.key);
      await admin.revokeKey(key.key_id);
      await admin.addSignInAddress({ team: slug, address: 'ada@example.org', member: 'ada' });
      await admin.removeSignInAddress({ team: slug, address: 'ada@example.org' });
      await admin.projects(slug).create({ slug: 'web', name: 'Web' });
      await admin.projects(slug).rename({ slug: 'web', name: 'The web' });
      await admin.projects(slug).remove('web');
      const decisions = admin.decisions(slug);
      const made = await decisions.create({ title: 'A plan nobody may read here', audience: 'team' });
      secrets.push('A plan nobody may read here');
      await decisions.edit(made.decision_id, { status: 'accepted' });
      await decisions.remove(made.decision_id);
      const webhooks = admin.webhooks(slug);
      const { webhook_id: webhookId } = await webhooks.create({
        url: 'https://hooks.example.org/secret-path',
      });
      secrets.push('secret-path');
      await webhooks.edit(webhookId, { on: false });
      await webhooks.rotate(webhookId);
      await webhooks.replay(webhookId, { since: new Date() });
      await webhooks.remove(webhookId);
      await admin.removeMember({ team: slug, handle: 'ada' });
    });
    const rows = await entries({ team: slug, since });
    const acts = (
      'member.add member.role key.create key.rotate key.revoke sign_in_address.add sign_in_address.remove ' +
      'member.remove project.create project.rename project.remove decision.create decision.edit decision.remove ' +
      'webhook.create webhook.edit webhook.rotate webhook.replay webhook.remove'
    ).split(' ');
    // Of which team they are is known only when these are done.
    const doneOnly = ['key.rotate', 'key.revoke'];
    const expected = acts.flatMap((action) =>
      doneOnly.includes(action) ? [`${action} done`] : [`${action} begun`, `${action} done`],
    );
    expect(told(rows)).toEqual(['team.create done', ...expected]);
    expect(rows.find(({ action }) => action === 'member.role')).toMatchObject({
      actor: 'administrator:bootstrap',
      object: 'ada',
      before: { role: 'member' },
      after: { role: 'admin' },
    });
    expect(rows.find((row) => row.action === 'key.create' && row.outcome === 'done')).toMatchObject({
      after: { member: 'ada', tier: 'team', access: 'write', expires_at: 'never' },
    });
    expect(rows.every(({ client_address }) => /^(127\.0\.0\.1|::1)$/.test(client_address))).toBe(true);
    expect(rows.every(({ request_id }) => request_id.length > 8)).toBe(true);
    const text = JSON.stringify(rows);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('has what members do, with key and address, whether by the API or in the dashboard', async () => {
    const team = await newTeam(service());
    await team.team.push(item('a.md', 'x'));
    await team.team.remove('a.md');
    expect((await team.team.remove('never-there.md')).status).toBe(404);
    expect((await team.team.remove('a.md')).status).toBe(204);
    for (const _time of ['first', 'second'])
      expect((await team.team.call('/items/a.md?erase=true', { method: 'DELETE' })).status).toBe(204);
    const session = await openSession(service(), { key: team.teamKey });
    await team.team.call('/sign-in-links', { method: 'POST' });
    await session.rpc('teammemory.content.v1.ContentService/CreateDecision', {
      decision: { title: 'x', audience: 'TIER_TEAM' },
    });
    await session.send('/session', { method: 'DELETE' });
    const rows = (await entries({ team: team.slug })).filter(({ outcome }) => outcome !== 'begun');
    const ofMembers = rows.filter(({ actor }) => !actor.startsWith('administrator:'));
    expect(told(ofMembers)).toEqual([
      'session.open done',
      'sign_in_link.create done',
      'session.end done',
      // What was not there, or is gone or erased already, is not in the log.
      'item.remove done',
      'item.erase done',
      'decision.create done',
    ]);
    const [keyId] = [team.teamKey.split('_')[1]];
    const removal = ofMembers.find(({ action }) => action === 'item.remove');
    expect(removal).toMatchObject({
      object: 'a.md',
      key_id: keyId,
      actor: expect.stringMatching(/^member:/),
    });
    for (const { client_address } of ofMembers) expect(client_address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('has what was refused, and nothing of an act that the caller may not do', async () => {
    const since = new Date();
    const slug = `refused-${randomUUID().slice(0, 8)}`;
    const method = 'teammemory.auth.v1.AuthService/CreateTeam';
    const message = { slug, name: 'Refused' };
    const headers = { rpcUrl: service().rpcUrl, protocol: 'connect', method, message } as const;
    expect((await rpcCall({ ...headers, authorization: 'Bearer nobody' })).code).toBe('unauthenticated');
    const refused = async () =>
      (await entries({ since })).filter(({ action, object }) => action === 'call' && object === 'CreateTeam');
    await eventually('the refusal is in the log', async () => (await refused()).length > 0);
    expect(await refused()).toMatchObject([
      {
        outcome: 'refused',
        code: 'unauthenticated',
        actor: 'anonymous',
        client_address: expect.stringMatching(/1$/),
      },
    ]);
    expect((await entries({ since })).filter(({ object }) => object === slug)).toEqual([]);
  });

  test('has what a key that may only read asked for by RPC', async () => {
    const team = await newTeam(service());
    await team.team.push(item('a.md', 'x'));
    const key = await team.newKey('team', { access: 'read' });
    const call = { rowKey: 'a.md' };
    const { code } = await callContent(service(), await exchange(service(), key), 'DeleteItem', call);
    expect(code).toBe('permission_denied');
    const refused = async () =>
      (await entries({ team: team.slug })).filter(({ outcome }) => outcome === 'refused');
    await eventually('the refusal is in the log', async () => (await refused()).length > 0);
    expect(await refused()).toMatchObject([
      {
        action: 'call',
        object: 'DeleteItem',
        code: 'forbidden_access',
        key_id: key.split('_')[1],
        actor: expect.stringMatching(`^member:${team.slug}/`),
      },
    ]);
  });

  test('has who began to export a team or read a backup', async () => {
    const { slug } = await newTeam(service());
    const since = new Date();
    await asAdmin(async (admin) => {
      for await (const _ of admin.backup.auth.read(AbortSignal.timeout(60_000))) break;
    });
    expect(told(await entries({ since })).filter((text) => text.startsWith('backup'))).toEqual([
      'backup begun',
      'backup done',
    ]);
    await asAdmin(async (admin) => {
      const rows = admin.teamRows(slug);
      await rows.catchUp();
      await rows.readRows('items', 0);
    });
    const exports = told(await entries({ team: slug, since })).filter((text) => text.startsWith('export'));
    // Each process notes it once.
    expect(new Set(exports)).toEqual(new Set(['export begun', 'export done']));
    expect(exports.length).toBeLessThanOrEqual(4);
  });

  test('tells nothing of one team to who asks for another, and nobody but administrators reads it', async () => {
    const [one, other] = [await newTeam(service()), await newTeam(service())];
    await other.team.push(item('b.md', 'x'));
    await other.team.remove('b.md');
    const ofOne = await entries({ team: one.slug });
    expect(ofOne.length).toBeGreaterThan(0);
    expect(JSON.stringify(ofOne)).not.toMatch(new RegExp(`b\\.md|${other.slug}`));
    const session = await openSession(service(), { key: one.teamKey });
    for (const part of ['auth.v1.AuthService', 'content.v1.ContentService']) {
      for (const method of ['ListAuditEntries', 'VerifyAuditLog']) {
        const { status, body } = await session.rpc(`teammemory.${part}/${method}`);
        expect([status, body.code], method).not.toEqual([200, undefined]);
        expect(JSON.stringify(body)).toMatch(/permission_denied|not_found|unimplemented/);
      }
    }
  });

  test('tells the administrators of a team what was done in it, newest first, and nothing of the rest of the log', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    for (const team of [mine, other, mine]) {
      const name = `${randomUUID()}.md`;
      await team.team.push(item(name, 'x'));
      await team.team.remove(name);
    }
    const session = await openSession(service(), { key: mine.teamKey });
    const list = async (part: 'auth' | 'content', request: object = {}) => {
      const method = `teammemory.${part}.v1.${part === 'auth' ? 'Auth' : 'Content'}Service/ListTeamAuditEntries`;
      const { status, body } = await session.rpc(method, request);
      expect([status, body.code]).toEqual([200, undefined]);
      return body as { entries?: Record<string, unknown>[]; nextPageToken?: string };
    };
    const all = await list('content');
    expect(all.entries?.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'item.remove done',
      'item.remove begun',
      'item.remove done',
      'item.remove begun',
    ]);
    // What would tell how long the log is, or of what it is made, is left out.
    const names = new Set(all.entries?.flatMap((entry) => Object.keys(entry)));
    for (const hidden of ['sequence', 'begunSequence', 'hash', 'text']) expect(names).not.toContain(hidden);
    const first = await list('content', { pageSize: 3 });
    const second = await list('content', { pageSize: 3, pageToken: first.nextPageToken });
    expect([...(first.entries ?? []), ...(second.entries ?? [])]).toEqual(all.entries);
    expect((await list('content', { memberHandle: 'nobody' })).entries ?? []).toEqual([]);
    expect((await list('content', { memberHandle: 'ada' })).entries).toEqual(all.entries);
    // The keys were made by an administrator of the installation, who has no name and no address here.
    const made = (await list('auth')).entries ?? [];
    expect(made.length).toBeGreaterThan(0);
    for (const { actor, clientAddress } of made) {
      expect([actor, clientAddress]).not.toContainEqual(expect.stringMatching(/bootstrap|127\.0\.0\.1/));
      expect(JSON.stringify(actor)).not.toMatch(/bootstrap|gateway/);
    }
  });

  test('is whole, to its end, after all of that', async () => {
    for (const name of ['auth', 'content'] as const) {
      const check = await asAdmin((admin) => admin.audit.verify(name));
      expect(check.problem, name).toBeNull();
      const again = await asAdmin((admin) => admin.audit.verify(name, check.checked ?? undefined));
      expect(again.problem).toBeNull();
    }
  });
});
