import { randomInt } from 'node:crypto';
import { modelRuns, modelTimeoutMs } from '@teammemory/testkit/environment.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthStores, openAuthStores } from '../store/open-stores.ts';
import type { Key } from './keys.ts';
import { createSessions, type Sessions, sessionLifetimeMs } from './sessions.ts';

const begin = 1_795_219_200_000;
/** Keys of two members; the last one expires before a session would. */
const keys = [
  { keyId: 'team', memberId: 'ada', tier: 'team', expiresAt: null },
  { keyId: 'guest', memberId: 'ada', tier: 'external', expiresAt: null },
  { keyId: 'short', memberId: 'bob', tier: 'team', expiresAt: begin + sessionLifetimeMs / 2 },
] as const;

let stores: AuthStores;
let worlds = 0;
let cleanUp: () => Promise<void>;

beforeAll(async () => {
  const directory = await temporaryDirectory();
  stores = await openAuthStores({ engine: 'sqlite', directory: directory.path });
  cleanUp = async () => {
    await stores.close();
    await directory.remove();
  };
});
afterAll(() => cleanUp());

interface World {
  teamId: string;
  sessions: Sessions;
  keys: Key[];
  nowMs: number;
}

/** What was opened, in order, with what ended it. */
interface Model {
  opened: { text: string; key: number; endsAtMs: number; isEnded: boolean }[];
  revoked: Set<number>;
}

async function newWorld(): Promise<World> {
  worlds += 1;
  const teamId = `team-${worlds}`;
  const made = keys.map(
    (key): Key => ({
      ...key,
      keyId: `${key.keyId}-${worlds}`,
      teamId,
      teamSlug: teamId,
      memberHandle: key.memberId,
      access: 'write',
      itemWritesPerMinute: null,
      isForSignIn: false,
      createdAt: begin,
      revokedAt: null,
      lastUsedAt: null,
    }),
  );
  for (const key of made) await stores.keys.create(teamId, { key, secretHash: 'ab' });
  const world: World = { teamId, sessions: undefined as never, keys: made, nowMs: begin };
  world.sessions = createSessions({
    links: stores.signInLinks,
    sessions: stores.sessions,
    keys: {
      store: stores.keys,
      lastUse: { record: () => undefined } as never,
      clock: () => world.nowMs,
    },
    addresses: { signIn: () => Promise.reject(new Error('nobody has an address')) },
    randomInt,
  });
  return world;
}

type Command = fc.AsyncCommand<Model, World>;

const command = (name: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

/** Whether a session still stands for its key. */
function isValid(
  { key, endsAtMs, isEnded }: Model['opened'][number],
  { revoked }: Model,
  nowMs: number,
): boolean {
  const { expiresAt } = keys[key] ?? {};
  const isKeyValid = !revoked.has(key) && (expiresAt === null || nowMs < (expiresAt ?? 0));
  return isKeyValid && !isEnded && nowMs < endsAtMs;
}

async function check(model: Model, { sessions, keys: made, nowMs }: World): Promise<void> {
  for (const session of model.opened) {
    const found = await sessions.authenticate(session.text).then(
      ({ key }) => key.keyId,
      ({ code }) => code,
    );
    const expected = isValid(session, model, nowMs) ? made[session.key]?.keyId : 'invalid_key';
    expect(found).toBe(expected);
  }
}

const which = fc.nat(keys.length - 1);
const commands = [
  which.map((key) =>
    command(`open with ${keys[key]?.keyId}`, async (model, world) => {
      const { text, expiresAt } = await world.sessions.open(world.keys[key] as Key);
      const limit = keys[key]?.expiresAt ?? Number.POSITIVE_INFINITY;
      expect(expiresAt).toBe(Math.min(world.nowMs + sessionLifetimeMs, limit));
      model.opened.push({ text, key, endsAtMs: expiresAt, isEnded: false });
    }),
  ),
  fc.nat(5).map((index) =>
    command(`end ${index}`, async (model, world) => {
      const session = model.opened[index];
      if (session === undefined) return;
      await world.sessions.end(session.text);
      session.isEnded = true;
    }),
  ),
  which.map((key) =>
    command(`end all with ${keys[key]?.keyId}`, async (model, world) => {
      const { memberId, tier } = keys[key] ?? keys[0];
      await world.sessions.endAll({ teamId: world.teamId, memberId, tier });
      for (const session of model.opened) {
        const other = keys[session.key];
        if (other?.memberId === memberId && (tier === 'team' || other.tier === 'external'))
          session.isEnded = true;
      }
    }),
  ),
  which.map((key) =>
    command(`revoke ${keys[key]?.keyId}`, async (model, world) => {
      await stores.keys.revoke(world.teamId, world.keys[key]?.keyId ?? '', world.nowMs);
      model.revoked.add(key);
    }),
  ),
  fc.constantFrom(1, sessionLifetimeMs / 2, sessionLifetimeMs).map((ms) =>
    command(`${ms} ms`, async (_, world) => {
      world.nowMs += ms;
    }),
  ),
  fc.constant(command('check', check)),
];

const runs = modelRuns(60);
test(`in ${runs.numRuns} histories a session stands for its key until it, its key or its time ends, and no longer`, {
  timeout: modelTimeoutMs(runs),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 20 }), async (history) => {
      const model: Model = { opened: [], revoked: new Set() };
      const real = await newWorld();
      await fc.asyncModelRun(() => ({ model, real }), history);
      await check(model, real);
    }),
    runs,
  );
});
