import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine, type EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testClient, testService } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const fiveMinutesMs = 5 * 60 * 1000;

describeEachEngine('Authenticate', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let admin: Client<typeof AuthService>;
  let reader: Client<typeof AuthService>;

  async function open(): Promise<void> {
    service = await testService({ storage: engine.storage(), clock: () => now });
    admin = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    reader = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
  }
  beforeEach(() => {
    now = start;
    return open();
  });
  afterEach(() => service.close());

  /** Makes team `acme` with member `ada` and one key of hers. */
  async function createKey(fields: { expiresAt?: number } = {}) {
    const { team } = await admin.createTeam({ slug: 'acme', name: 'Acme' });
    const { member } = await admin.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.ADMIN });
    const { key, secretKey } = await admin.createKey({
      teamSlug: 'acme',
      memberHandle: 'ada',
      tier: Tier.EXTERNAL,
      expiresAt: fields.expiresAt === undefined ? undefined : timestampFromMs(fields.expiresAt),
    });
    return { team, member, keyId: key?.keyId ?? '', secretKey };
  }

  async function lastUse(): Promise<number | undefined> {
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    return keys[0]?.lastUsedAt && timestampMs(keys[0].lastUsedAt);
  }

  test('a key stands for its member, team and tier until it is revoked', async () => {
    const { team, member, keyId, secretKey } = await createKey();
    const { caller, expiresAt } = await reader.authenticate({ key: secretKey });
    expect(caller).toMatchObject({
      teamId: team?.teamId,
      teamSlug: 'acme',
      memberId: member?.memberId,
      memberHandle: 'ada',
      tier: Tier.EXTERNAL,
      keyId,
    });
    expect(expiresAt).toBeUndefined();
    await admin.revokeKey({ keyId });
    expect(await codeOf(reader.authenticate({ key: secretKey }))).toBe('invalid_key');
  });

  test('a key is good up to its expiry, which its caller is told', async () => {
    const { secretKey } = await createKey({ expiresAt: start + 1_000 });
    now = start + 999;
    const { expiresAt } = await reader.authenticate({ key: secretKey });
    expect(expiresAt).toEqual(timestampFromMs(start + 1_000));
    now = start + 1_000;
    expect(await codeOf(reader.authenticate({ key: secretKey }))).toBe('invalid_key');
  });

  test('the secret is neither stored nor listed', async () => {
    const { secretKey } = await createKey();
    const secret = secretKey.slice(-43);
    expect(await storedText(engine.storage())).toContain('acme');
    expect(await storedText(engine.storage())).not.toContain(secret);
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    expect(Object.values(keys[0] ?? {})).not.toContain(secret);
  });

  test('the last use is noted, at most every five minutes', async () => {
    const { secretKey } = await createKey();
    expect(await lastUse()).toBeUndefined();
    await reader.authenticate({ key: secretKey });
    expect(await eventually('the first use', lastUse)).toBe(start);
    now = start + fiveMinutesMs - 1;
    await reader.authenticate({ key: secretKey });
    now = start + fiveMinutesMs;
    await eventually('the next use', async () => {
      await reader.authenticate({ key: secretKey });
      return (await lastUse()) === now;
    });
  });

  test('a use that was being noted when the service closed is not lost', async () => {
    const { secretKey } = await createKey();
    await reader.authenticate({ key: secretKey });
    await service.close();
    await open();
    expect(await lastUse()).toBe(start);
  });
});

/** Everything the engine holds, as text. */
async function storedText(storage: EngineStorage): Promise<string> {
  if (storage.engine === 'mongodb') {
    const collections = await storage.connection.db.collections();
    return JSON.stringify(await Promise.all(collections.map((collection) => collection.find().toArray())));
  }
  const files = await readdir(storage.directory);
  const texts = files.map((file) => readFile(join(storage.directory, file), 'latin1'));
  return (await Promise.all(texts)).join('');
}
