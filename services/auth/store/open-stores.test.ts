import { behavesAsOnSqlite } from '@teammemory/testkit/behaves-as-on-sqlite.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredAppToken } from '../domain/apps.ts';
import type { StoredInvitation } from '../domain/invitations.ts';
import type { Key } from '../domain/keys.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { RegisteredApp } from '../domain/registered-apps.ts';
import type { StoredServiceCredential } from '../domain/service-credentials.ts';
import type { StoredSession, StoredSignInLink } from '../domain/sessions.ts';
import type { SignInAddress } from '../domain/sign-in-addresses.ts';
import { appTokenStoreContract } from './app-token-store.contract.ts';
import { auditStoreContract } from './audit-store.contract.ts';
import { invitationStoreContract } from './invitation-store.contract.ts';
import { keyStoreContract } from './key-store.contract.ts';
import { memberStoreContract } from './member-store.contract.ts';
import type { AuthStores } from './open-stores.ts';
import { openAuthStores } from './open-stores.ts';
import { refusalStoreContract } from './refusal-store.contract.ts';
import { registeredAppStoreContract } from './registered-app-store.contract.ts';
import { serviceCredentialStoreContract } from './service-credential-store.contract.ts';
import { sessionStoreContract } from './session-store.contract.ts';
import { signInAddressStoreContract } from './sign-in-address-store.contract.ts';
import { signInLinkStoreContract } from './sign-in-link-store.contract.ts';
import { teamStoreContract } from './team-store.contract.ts';

describeEachEngine('the auth stores', (engine) => {
  let stores: AuthStores;
  beforeEach(async () => {
    stores = await openAuthStores(engine.storage());
  });
  afterEach(() => stores.close());

  describe('teams', () => teamStoreContract(() => stores.teams));
  describe('members', () => memberStoreContract(() => stores.members));
  describe('keys', () => keyStoreContract(() => stores.keys));
  describe('service credentials', () => serviceCredentialStoreContract(() => stores.serviceCredentials));
  describe('operators', () => serviceCredentialStoreContract(() => stores.operators));
  describe('sessions', () => sessionStoreContract(() => stores.sessions));
  describe('sign-in links', () => signInLinkStoreContract(() => stores.signInLinks));
  describe('tokens of apps', () => appTokenStoreContract(() => stores.appTokens));
  describe('registered apps', () => registeredAppStoreContract(() => stores.registeredApps));
  describe('invitations', () => invitationStoreContract(() => stores.invitations));
  describe('sign-in addresses', () => signInAddressStoreContract(() => stores.signInAddresses));

  describe('refusals', () => refusalStoreContract(() => stores.refusals));
  describe('the audit log', () => auditStoreContract(() => stores.audit));

  test('are ready once open, and keep everything when they are closed and opened again', async () => {
    await stores.ready();
    await stores.teams.create({ teamId: 't', slug: 'acme', name: 'Acme', createdAt: 1 });
    await stores.members.add('t', { memberId: 'm', handle: 'ada', role: 'member', createdAt: 2 });
    await stores.keys.create('t', { key: keyOf('t', 'k', 3), secretHash: 'hash' });
    await stores.serviceCredentials.create(credentialOf('search', 'c', 4));
    await stores.sessions.create('t', sessionOf('t', 's-0', 5), 20);
    await stores.signInLinks.create('t', linkOf('t', 'l-0', 6), 20);
    await stores.invitations.create('t', invitationOf('t', 'i-0', 9));
    await stores.appTokens.create('t', appTokenOf('t', 'a-0', 10), 20);
    await stores.registeredApps.add(registeredOf('p-0', 11), { unusedUntil: 0, max: 20 });
    await stores.refusals.add('t', [refusalOf('r', 8)], 100);
    await stores.signInAddresses.add('t', addressOf('a@b', 'ada', 7));
    const before = await allRows(stores);
    await stores.close();
    stores = await openAuthStores(engine.storage());
    expect(await allRows(stores)).toEqual(before);
  });

  behavesAsOnSqlite(engine, {
    open: openAuthStores,
    stores: () => stores,
    operate: randomOperations,
    rows: allRows,
  });
});

const teamIds = ['t0', 't1', 't2'];
const names = ['a', 'b-1', 'b.1', 'b_1', 'c', '0'];
/** Enough for each operation to meet each state of its row several times. */
const operationsPerSeed = 200;

/** Runs operations on few names, so that they collide, and tells what each answered. */
async function randomOperations(stores: AuthStores, random: SeededRandom): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let index = 0; index < operationsPerSeed; index++) {
    answers.push(await randomOperation(stores, random, index).catch((error) => error.code ?? error));
  }
  return answers;
}

async function randomOperation(stores: AuthStores, random: SeededRandom, index: number): Promise<unknown> {
  const teamId = random.pick(teamIds);
  const name = random.pick(names);
  const at = random.integerBelow(1_000);
  const limit = 1 + random.integerBelow(4);
  const operations = [
    () => stores.teams.create({ teamId: `team-${index}`, slug: name, name: `Team ${index}`, createdAt: at }),
    () => stores.teams.list(name, limit),
    () => stores.members.add(teamId, { memberId: `m-${index}`, handle: name, role: 'member', createdAt: at }),
    () => stores.members.findByHandle(teamId, name),
    () => stores.members.setRole(teamId, name, random.pick(['admin', 'member'] as const)),
    () => stores.members.hasAdministrator(teamId),
    () => stores.members.list(teamId, name, limit),
    () => stores.members.remove(teamId, name),
    () => stores.keys.create(teamId, { key: keyOf(teamId, name, at), secretHash: `hash-${index}` }),
    () => stores.keys.findById(name),
    () => stores.keys.list(teamId, { createdAt: at, keyId: name }, limit),
    () => stores.keys.revoke(teamId, name, at),
    () => stores.keys.expire(teamId, name, at),
    () => stores.keys.setEndOfApp(teamId, name, at),
    () => stores.keys.revokeOfMember(teamId, 'ada', at),
    () => stores.keys.revokeApps(teamId, { makerKeyId: random.pick(names) }, at),
    () => stores.keys.removeEndedApps(teamId, 'm', at),
    () => stores.keys.recordUse(teamId, name, at, 100),
    () => stores.keys.removeSignInKeys(teamId, 'm', at, limit),
    () => stores.signInAddresses.add(teamId, addressOf(name, random.pick(names), at)),
    () => stores.signInAddresses.find(teamId, name),
    () => stores.signInAddresses.remove(teamId, name),
    () => stores.signInAddresses.removeOfMember(teamId, name),
    () => stores.signInAddresses.list(teamId, name, limit),
    () => stores.refusals.add(teamId, [refusalOf(`r-${index}`, at)], limit),
    () => stores.refusals.list(teamId, random.pick([undefined, 'm-0']), limit),
    () => stores.serviceCredentials.create(credentialOf(name, `c-${random.integerBelow(20)}`, at)),
    () => stores.serviceCredentials.findById(`c-${random.integerBelow(20)}`),
    () => stores.serviceCredentials.list(name, limit),
    () => stores.serviceCredentials.revoke(name, at),
    () => stores.sessions.create(teamId, sessionOf(teamId, `s-${random.integerBelow(20)}`, at), limit),
    () => stores.sessions.findById(`s-${random.integerBelow(20)}`),
    () => stores.sessions.remove(teamId, `s-${random.integerBelow(20)}`),
    () => stores.sessions.removeOfMember(teamId, 'm', ['team', 'external'], at),
    () => stores.sessions.removeOfMember(teamId, 'm', ['external'], at),
    () => stores.signInLinks.create(teamId, linkOf(teamId, `l-${random.integerBelow(20)}`, at), limit),
    () => stores.signInLinks.findById(`l-${random.integerBelow(20)}`),
    () => stores.signInLinks.take(teamId, `l-${random.integerBelow(20)}`),
    () => stores.appTokens.create(teamId, appTokenOf(teamId, `a-${random.integerBelow(20)}`, at), limit),
    () => stores.appTokens.findById(`a-${random.integerBelow(20)}`),
    () => stores.appTokens.use(teamId, `a-${random.integerBelow(20)}`, { at, keptUntil: at + 700 }),
    () => stores.appTokens.replaceSecret(teamId, appSecretOf(random, at), nextSecretOf(at)),
    () => stores.registeredApps.add(registeredOf(`p-${index}`, at), { unusedUntil: at - 500, max: limit }),
    () => stores.registeredApps.findById(`p-${random.integerBelow(operationsPerSeed)}`),
    () => {
      const by = { memberId: `m-${random.integerBelow(2)}`, at };
      return stores.registeredApps.use(`p-${random.integerBelow(operationsPerSeed)}`, by, limit);
    },
    () => stores.invitations.create(teamId, invitationOf(teamId, `i-${random.integerBelow(20)}`, at)),
    () => stores.invitations.findById(`i-${random.integerBelow(20)}`),
    () => stores.invitations.list(teamId, at, limit),
    () => stores.invitations.countName(teamId, `i-${random.integerBelow(20)}`, limit),
    () => stores.invitations.take(teamId, `i-${random.integerBelow(20)}`),
    () => stores.invitations.removeOfKey(teamId, `k-${random.integerBelow(4)}`),
    () => stores.invitations.removeOfMember(teamId, random.pick(['ada', 'bo'])),
  ];
  return random.pick(operations)();
}

function keyOf(teamId: string, keyId: string, createdAt: number): Key {
  return {
    keyId,
    teamId,
    teamSlug: `slug-of-${teamId}`,
    memberId: 'm',
    memberHandle: 'ada',
    tier: createdAt % 2 === 0 ? 'team' : 'external',
    access: 'own',
    itemWritesPerMinute: null,
    isForSignIn: createdAt % 5 === 0,
    ...(createdAt % 7 === 0 && { app: { clientId: 'https://app', makerKeyId: 'a' } }),
    createdAt,
    expiresAt: createdAt % 3 === 0 ? null : createdAt + 1,
    revokedAt: null,
    lastUsedAt: null,
  };
}

function credentialOf(name: string, credentialId: string, createdAt: number): StoredServiceCredential {
  const scopes = createdAt % 2 === 0 ? ['feed:read'] : ['auth:read', 'feed:read'];
  const times = { createdAt, expiresAt: createdAt % 3 === 0 ? null : createdAt + 1, revokedAt: null };
  return { credential: { credentialId, name, scopes, ...times }, secretHash: `hash-${createdAt}` };
}

function sessionOf(teamId: string, sessionId: string, createdAt: number): StoredSession {
  const tier = createdAt % 2 === 0 ? 'team' : 'external';
  const times = { createdAt, expiresAt: createdAt + 500 };
  const session = { sessionId, teamId, keyId: `k-${createdAt % 3}`, memberId: 'm', tier, ...times } as const;
  return { session, secretHash: `hash-${createdAt}` };
}

function addressOf(address: string, memberHandle: string, createdAt: number): SignInAddress {
  return { address, memberId: `id-of-${memberHandle}`, memberHandle, createdAt };
}

function refusalOf(refusalId: string, at: number): Refusal {
  const names = { memberId: `m-${at % 2}`, memberHandle: 'ada', keyId: 'k' };
  return { refusalId, ...names, request: 'GET /x', code: 'rate_limited', detail: 'd', rowKey: '', at };
}

function linkOf(teamId: string, linkId: string, createdAt: number): StoredSignInLink {
  const times = { createdAt, expiresAt: createdAt + 200 };
  return { link: { linkId, teamId, keyId: `k-${createdAt % 2}`, ...times }, secretHash: `hash-${createdAt}` };
}

function appTokenOf(
  teamId: string,
  tokenId: string,
  createdAt: number,
): Omit<StoredAppToken, 'previousHash'> {
  const kind = (['access', 'code', 'refresh'] as const)[createdAt % 3] ?? 'code';
  const ofCode = { redirectUri: kind === 'code' ? 'r' : null, codeChallenge: kind === 'code' ? 'c' : null };
  const appEndsAt = kind === 'code' ? createdAt + 900 : null;
  const times = { createdAt, expiresAt: createdAt + 500, usedAt: null, appEndsAt };
  const token = { tokenId, kind, teamId, keyId: `k-${createdAt % 2}`, resource: 'm', ...ofCode, ...times };
  return { token, secretHash: `hash-${createdAt}` };
}

function registeredOf(clientId: string, createdAt: number): RegisteredApp {
  return {
    clientId,
    name: 'Otter',
    redirectUris: [`http://localhost/${createdAt}`],
    createdAt,
    usedAt: null,
  };
}

function appSecretOf(random: SeededRandom, at: number) {
  return { tokenId: `a-${random.integerBelow(20)}`, secretHash: `hash-${at}` };
}

function nextSecretOf(usedAt: number) {
  return { secretHash: `hash-${usedAt + 1}`, previousHash: `hash-${usedAt}`, usedAt };
}

function invitationOf(teamId: string, invitationId: string, createdAt: number): StoredInvitation {
  const maker = {
    makerId: 'm',
    makerHandle: createdAt % 2 === 0 ? 'ada' : 'bo',
    makerKeyId: `k-${createdAt % 3}`,
  };
  const gives = { role: 'member', tier: 'team', access: 'own' } as const;
  const times = { createdAt, expiresAt: createdAt + 500 };
  const invitation = { invitationId, teamId, teamSlug: `slug-of-${teamId}`, ...maker, ...gives, ...times };
  return { invitation, secretHash: `hash-${createdAt}` };
}

async function allRows(stores: AuthStores): Promise<unknown> {
  const perTeam = [...teamIds, 't'].map(async (teamId) => ({
    members: await stores.members.list(teamId, '', 1_000),
    addresses: await stores.signInAddresses.list(teamId, '', 1_000),
    invitations: await stores.invitations.list(teamId, 0, 1_000),
    refusals: await stores.refusals.list(teamId, undefined, 1_000),
    keys: await stores.keys.list(teamId, { createdAt: 0, keyId: '' }, 1_000),
  }));
  const hashes = names.map(async (keyId) => (await stores.keys.findById(keyId))?.secretHash);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const registered = Array.from({ length: operationsPerSeed }, (_, index) => `p-${index}`);
  return [
    await Promise.all(registered.map((id) => stores.registeredApps.findById(id))),
    await Promise.all(numbers.map((number) => stores.sessions.findById(`s-${number}`))),
    await Promise.all(numbers.map((number) => stores.appTokens.findById(`a-${number}`))),
    await Promise.all(numbers.map((number) => stores.signInLinks.findById(`l-${number}`))),
    await stores.teams.list('', 1_000),
    await stores.serviceCredentials.list('', 1_000),
    await Promise.all(perTeam),
    await Promise.all(hashes),
  ];
}
