import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import {
  type BrowserSession,
  browserRequest,
  openSession,
  sameOrigin,
} from '../support/http/browser-session.ts';
import { problem } from '../support/http/problem.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({ TRUSTED_PROXIES: '127.0.0.0/8' });
const limits = { timeout: 120_000 };
const boundMegabytes = 50;
/** Sign-ins of one address that may fail in a minute. */
const failedPerMinute = 60;

/** Sends a body to the door of strangers over a connection of the proxy, for a client of this address. */
const post = (path: string, body: object, client = '203.0.113.9') =>
  browserRequest(attacked().service, path, {
    body,
    headers: { ...sameOrigin, 'x-forwarded-for': `192.0.2.99, ${client}` },
  });
const take = (token: string, member: string, client?: string) =>
  post('/session', { invitation_token: token, member }, client);
const look = (token: string, client?: string) =>
  post('/session/invitation', { invitation_token: token }, client);

const call = (session: BrowserSession, method: string, message: object) =>
  session.rpc(`teammemory.auth.v1.AuthService/${method}`, message);
const wanted = (teamSlug: string) => ({ teamSlug, role: 'MEMBER_ROLE_MEMBER', tier: 'TIER_TEAM' });

/** A team whose administrator is signed in, and has made an invitation. */
async function invitingTeam() {
  const { service } = attacked();
  const team = await service.createTeam();
  const session = await openSession(service, { key: team.teamKey });
  const invite = async () => {
    const { status, body } = await call(session, 'CreateInvitation', wanted(team.slug));
    expect(status).toBe(200);
    return { token: body.invitationToken as string, id: body.invitation.invitationId as string };
  };
  const members = async (): Promise<string[]> => {
    const { body } = await call(session, 'ListMembers', { teamSlug: team.slug });
    return body.members.map(({ handle }: { handle: string }) => handle);
  };
  return { team, session, invite, members };
}

test(
  'a stranger who guesses tokens learns nothing and is stopped by address, while others join',
  limits,
  async () => {
    const { team, invite, members } = await invitingTeam();
    const { token } = await invite();
    const other = (await invite()).token;
    const stranger = '198.51.100.7';
    await besideBystanders({ ...attacked(), name: 'guessed invitations', boundMegabytes }, async () => {
      const guesses = [
        ...['', 'tmsi_', `tmsi_${'A'.repeat(16)}_${'B'.repeat(43)}`, team.teamKey, `${token}x`],
        // The id of one and the secret of another.
        token.slice(0, 22) + other.slice(22),
      ].filter((guess) => guess !== '');
      for (const guess of guesses) {
        for (const answer of [await look(guess, stranger), await take(guess, 'eve', stranger)]) {
          expect([guess, answer.status, answer.body]).toEqual([guess, 401, problem('invalid_key')]);
          expect(answer.headers.getSetCookie()).toEqual([]);
        }
      }
      const statuses: number[] = [];
      for (let n = 0; n < failedPerMinute; n += 1) statuses.push((await look('tmsi_wrong', stranger)).status);
      expect(statuses.at(-1)).toBe(429);
      // Also with a good token, so that a guess that hits is not told apart.
      expect((await look(token, stranger)).status).toBe(429);
      expect((await look(token)).body).toMatchObject({ team: team.slug, invited_by: 'ada' });
      expect((await take(token, 'new')).status).toBe(200);
    });
    expect(await members()).toEqual(['ada', 'new']);
  },
);

test('bodies that are none, and pages of other origins, reach no invitation', limits, async () => {
  const { invite, members } = await invitingTeam();
  const { token } = await invite();
  const bodies = [
    { invitation_token: token },
    { invitation_token: token, member: 'eve', more: 1 },
    { invitation_token: token, member: { $gt: '' } },
    { invitation_token: [token], member: 'eve' },
    { invitation_token: token, member: 'eve', key: 'x' },
    { invitation_token: token, member: '' },
    { invitation_token: token, member: 'two words' },
    { invitation_token: token, member: 'x'.repeat(65) },
    { invitation_token: token, member: '__proto__' },
  ];
  for (const body of bodies) expect([body, (await post('/session', body)).status]).toEqual([body, 422]);
  expect((await post('/session', { invitation_token: token, member: 'x'.repeat(5_000) })).status).toBe(413);
  expect((await post('/session/invitation', { invitation_token: token, member: 'eve' })).status).toBe(422);
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
  for (const path of ['/session', '/session/invitation']) {
    const body =
      path === '/session' ? { invitation_token: token, member: 'eve' } : { invitation_token: token };
    const { status } = await browserRequest(attacked().service, path, { body, headers });
    expect([path, status]).toEqual([path, 403]);
  }
  const { status } = await browserRequest(attacked().service, `/session/invitation?token=${token}`, {
    headers: sameOrigin,
  });
  expect(status).toBe(405);
  expect(await members()).toEqual(['ada']);
});

test(
  'an invitation is no way in twice: of two at once one joins, a replay and the names of members do not',
  limits,
  async () => {
    const { team, session, invite, members } = await invitingTeam();
    const { token } = await invite();
    await besideBystanders({ ...attacked(), name: 'one invitation for many', boundMegabytes }, async () => {
      const asMember = await take(token, 'Ada');
      expect([asMember.status, asMember.body.code]).toEqual([409, 'already_exists']);
      expect(asMember.headers.getSetCookie()).toEqual([]);
      const answers = await Promise.all(['new-1', 'new-2'].map((name) => take(token, name)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const joined = answers.find(({ status }) => status === 200);
      expect(joined?.body).toMatchObject({
        session: { team: team.slug, role: 'member', tier: 'team', access: 'write' },
        key: expect.stringMatching(/^tms_/),
      });
      for (const answer of [await take(token, 'new-3'), await look(token)]) {
        expect([answer.status, answer.body]).toEqual([401, problem('invalid_key')]);
      }
      expect(await members()).toHaveLength(2);
      // What a stranger with the link can learn of names ends after ten.
      const { token: tried } = await invite();
      for (let n = 0; n < 10; n += 1) expect((await take(tried, 'ada')).status).toBe(409);
      expect((await take(tried, 'free')).status).toBe(401);
    });
    const { body } = await call(session, 'ListInvitations', { teamSlug: team.slug });
    expect(body).toEqual({});
  },
);

test('guests, weak keys, other teams and new members make, see and end no invitation', limits, async () => {
  const { service } = attacked();
  const { team, session, invite } = await invitingTeam();
  const { token, id } = await invite();
  const { token: joining } = await invite();
  const { key } = (await take(joining, 'new')).body;
  const ownKey = await team.newKey('team', { access: 'own' });
  const stranger = await service.createTeam();
  const acts: [string, object][] = [
    ['CreateInvitation', wanted(team.slug)],
    ['ListInvitations', { teamSlug: team.slug }],
    ['RevokeInvitation', { teamSlug: team.slug, invitationId: id }],
  ];
  await besideBystanders({ ...attacked(), name: 'invitations by weak keys', boundMegabytes }, async () => {
    for (const weak of [team.externalKey, team.readKey, ownKey, key]) {
      const holder = await openSession(service, { key: weak });
      for (const [method, message] of acts) {
        const { status, body } = await call(holder, method, message);
        expect([method, status, body.code]).toEqual([method, 403, 'permission_denied']);
      }
    }
    const other = await openSession(service, { key: stranger.teamKey });
    for (const [method, message] of acts) {
      expect([method, (await call(other, method, message)).status]).toEqual([method, 404]);
    }
    const revoked = await call(other, 'RevokeInvitation', { teamSlug: stranger.slug, invitationId: id });
    expect(revoked.status).toBe(404);
    // The look behind a token is the gateway's own.
    const found = await call(session, 'FindInvitation', { invitationToken: token });
    expect([found.status, found.body.code]).toEqual([403, 'permission_denied']);
    const tooMuch = { ...wanted(team.slug), role: 'MEMBER_ROLE_ADMIN', tier: 'TIER_EXTERNAL' };
    expect((await call(session, 'CreateInvitation', tooMuch)).status).toBe(400);
  });
  expect((await look(token)).status).toBe(200);
});

test('a guest who joined by an invitation sees what guests see, and no more', limits, async () => {
  const { team, session } = await invitingTeam();
  const { body } = await call(session, 'CreateInvitation', { ...wanted(team.slug), tier: 'TIER_EXTERNAL' });
  const joined = await take(body.invitationToken, 'guest');
  expect(joined.body.session).toMatchObject({ role: 'member', tier: 'external', access: 'own' });
  const guest = await openSession(attacked().service, { key: joined.body.key });
  for (const method of ['ListMembers', 'ListInvitations']) {
    expect((await call(guest, method, { teamSlug: team.slug })).status).toBe(403);
  }
  // A guest's own apps only.
  const listed = await call(guest, 'ListKeys', { teamSlug: team.slug });
  expect(listed.body.keys ?? []).toEqual([]);
});

test('the links of a former administrator, and of a key that was revoked, open nothing', limits, async () => {
  const { service } = attacked();
  const ends: ((slug: string, keyId: string) => Promise<unknown>)[] = [
    (_, keyId) => asAdministrator(service, (admin) => admin.revokeKey(keyId)),
    (team) =>
      asAdministrator(service, (admin) => admin.setMemberRole({ team, handle: 'ada', role: 'member' })),
    (team) => asAdministrator(service, (admin) => admin.removeMember({ team, handle: 'ada' })),
  ];
  await besideBystanders({ ...attacked(), name: 'links of the dismissed', boundMegabytes }, async () => {
    for (const end of ends) {
      const { team, session, invite } = await invitingTeam();
      const { token } = await invite();
      expect((await look(token)).status).toBe(200);
      await end(team.slug, team.teamKey.split('_')[1] ?? '');
      for (const answer of [await look(token), await take(token, 'eve')]) {
        expect([answer.status, answer.body]).toEqual([401, problem('invalid_key')]);
      }
      const { status } = await call(session, 'CreateInvitation', wanted(team.slug));
      expect([401, 403]).toContain(status);
      const members = await asAdministrator(service, async (admin) =>
        (await Array.fromAsync(admin.listMembers(team.slug))).flat(),
      );
      expect(members.map(({ handle }) => handle)).not.toContain('eve');
    }
  });
});

test(
  'a stolen session leaves at most 20 open invitations, which the list shows and the team ends',
  limits,
  async () => {
    const { team, session } = await invitingTeam();
    await besideBystanders({ ...attacked(), name: 'many invitations', boundMegabytes }, async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 25; n += 1) {
        statuses.push((await call(session, 'CreateInvitation', wanted(team.slug))).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(20);
      const { body } = await call(session, 'ListInvitations', { teamSlug: team.slug });
      expect(body.invitations).toHaveLength(20);
      expect(JSON.stringify(body)).not.toMatch(/tmsi_/);
      for (const { invitationId } of body.invitations) {
        const ended = await call(session, 'RevokeInvitation', { teamSlug: team.slug, invitationId });
        expect(ended.status).toBe(200);
      }
    });
  },
);
