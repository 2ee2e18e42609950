import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  changingTeam,
  itemsAt,
  type ListedRow,
  onService,
  untilTasksAreMade,
  wholeList,
} from './support/backup/changing-team.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { plentyOfWrites } from './support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from './support/sync/tms-folder.ts';

const timeoutMs = 240_000;
const server = mongoServerForTests();
const environment = { ...plentyOfWrites, ITEM_HISTORY: '500' };
type Engine = 'SQLite' | 'MongoDB';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

/** Storage of its own, on which a service can be started again and again. */
async function installation(engine: Engine): Promise<{ start(): Promise<StartedService> }> {
  const data = await temporaryDirectory();
  onTestFinished(data.remove);
  const mongo = {
    mongodbUrl: 'url' in server ? server.url : '',
    environment: { ...environment, MONGODB_DATABASE: `test_${randomUUID().replaceAll('-', '')}` },
  };
  return {
    async start() {
      const engineOptions = engine === 'MongoDB' ? mongo : { environment };
      const service = await startService({ dataDirectory: data.path, ...engineOptions });
      onTestFinished(service.remove);
      return service;
    },
  };
}

/** `tms` with the administrator's credential of a service. */
const tmsFor = ({ rpcUrl, adminToken }: StartedService): Promise<TmsFolder> =>
  tmsFolder(join(directory.path, 'folder'), { TMS_RPC_URL: rpcUrl, TMS_ADMIN_TOKEN: adminToken });

const archives = async () =>
  (await readdir(join(directory.path, 'folder'))).filter((name) => name.endsWith('.backup'));

/** Waits until a restore that was killed counts as interrupted. */
const untilSilent = (service: StartedService) =>
  eventually(
    'no restore is in progress',
    () =>
      asAdministrator(service, async ({ backup }) => {
        for (const part of Object.values(backup)) await part.check();
        return true;
      }),
    { withinMs: 60_000, everyMs: 200 },
  );

/** Whether a restore is in progress in any part. */
const isRestoring = (service: StartedService) =>
  asAdministrator(service, async ({ backup }) => {
    const checks = await Promise.allSettled(Object.values(backup).map((part) => part.check()));
    return checks.some((check) => check.status === 'rejected' && /in progress/.test(check.reason.message));
  });

const engines: Engine[] = 'reason' in server ? ['SQLite'] : ['SQLite', 'MongoDB'];
const ways: [Engine, Engine][] = [
  ['SQLite', 'MongoDB'],
  ['MongoDB', 'SQLite'],
];

describe.skipIf('reason' in server)(
  `backup and restore${'reason' in server ? ` (skipped: ${server.reason})` : ''}`,
  () => {
    test.for(ways)(
      'of %s into %s, while items change, give each list of each tier exactly as it was at the position of the backup',
      { timeout: timeoutMs },
      async ([from, to]) => {
        const service = await (await installation(from)).start();
        const source = await changingTeam(service);
        const [tasks, decisions] = [
          await wholeList(source.team, 'tasks'),
          await wholeList(source.team, 'decisions'),
        ];
        const changes = source.change();
        const tms = await tmsFor(service);
        const { code, stdout, stderr } = await tms.run('backup', 'memory.backup', '--verify', '--json');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(await changes.stop()).toBeGreaterThan(20);
        expect((await stat(join(tms.path, 'memory.backup'))).mode & 0o777).toBe(0o600);
        expect(JSON.parse(stdout).rows).toMatchObject({ 'auth/teams': 1, 'content/projects': 1 });

        const target = await installation(to);
        const empty = await target.start();
        const there = await tmsFor(empty);
        const restored = await there.run('restore', 'memory.backup', '--keep-keys', '--json');
        expect(restored.stderr).toBe('');
        expect(JSON.parse(restored.stdout).active_keys).toHaveLength(3);
        expect((await fetch(`${empty.url}/readyz`)).status).toBe(503);
        await empty.end();
        const again = await target.start();
        expect((await fetch(`${again.url}/readyz`)).status).toBe(200);

        const copy = onService(source, again);
        // Versions of external items have the times of external keys, so these are compared as such keys see them.
        const items = await wholeList(copy.team, 'items');
        const isInternal = ({ tier }: ListedRow) => tier !== 'external';
        const expected = await itemsAt(source.team, items.at(-1)?.updated_at ?? '', isInternal);
        const text = (row: ListedRow) => JSON.stringify(row);
        expect(items.filter(isInternal).map(text)).toEqual(expected.map(text));
        const external = await wholeList(copy.external, 'items');
        const expectedExternal = await itemsAt(source.external, external.at(-1)?.updated_at ?? '');
        expect(external.map(text)).toEqual(expectedExternal.map(text));
        expect(items).toHaveLength(expected.length + external.length);
        await untilTasksAreMade(copy.team);
        for (const holder of [copy.team, copy.external]) {
          const isSeen = ({ audience = 'team', tier = audience }: ListedRow) =>
            holder === copy.team || tier === 'external';
          expect(await wholeList(holder, 'tasks')).toEqual(tasks.filter(isSeen));
          expect(await wholeList(holder, 'decisions')).toEqual(decisions.filter(isSeen));
        }
        expect((await copy.team.call('/projects')).body).toEqual((await source.team.call('/projects')).body);
        const versions = (holder: typeof copy.team) => holder.call('/items/notes%2F1.md/versions?limit=200');
        const kept = (await versions(copy.team)).body.versions;
        const all = (await versions(source.team)).body.versions;
        expect(all.slice(-kept.length)).toEqual(kept);
        expect(kept.length).toBeGreaterThan(1);
        // Clients go on with what they have: keys, cursors and the order of the feed.
        const { body } = await source.team.call('/decisions');
        expect((await copy.team.call(`/decisions?cursor=${body.next_cursor}`)).status).toBe(200);
        expect((await copy.team.push({ ...items[0], content: 'new', tier: 'team' })).status).toBe(200);
        expect((await copy.team.ask('What is the text of note 11?')).sources).not.toEqual([]);
      },
    );

    test.for(ways)(
      'of %s into %s survive kill -9 of either side at any moment: no half archive, no half service',
      { timeout: timeoutMs },
      async ([from, to]) => {
        const storage = await installation(from);
        let service = await storage.start();
        const source = await changingTeam(service);
        // First the client is killed, then the service.
        for (let round = 0; round < 2; round += 1) {
          const tms = await tmsFor(service);
          const running = tms.start('backup', 'killed.backup');
          const ended = once(running, 'exit');
          await eventually('a backup began, or is done', async () =>
            (await readdir(tms.path)).some((name) => name.includes('killed.backup')),
          );
          if (round % 2 === 0) running.kill('SIGKILL');
          else {
            await service.end('SIGKILL');
            service = await storage.start();
          }
          await ended;
          // One that was done before it was killed is whole.
          for (const name of await archives()) {
            const check = await (await tmsFor(service)).run('restore', name, '--check');
            expect(check).toMatchObject({ code: 0, stderr: '' });
            await tms.remove(name);
          }
        }
        const tms = await tmsFor(service);
        expect((await tms.run('backup', 'memory.backup')).code).toBe(0);

        let target = await installation(to);
        let empty = await target.start();
        for (let round = 0; round < 2; round += 1) {
          await untilSilent(empty);
          const running = (await tmsFor(empty)).start('restore', 'memory.backup', '--keep-keys');
          const ended = once(running, 'exit');
          await eventually('this one began', () => isRestoring(empty), { withinMs: 30_000, everyMs: 5 });
          if (round % 2 === 0) running.kill('SIGKILL');
          else await empty.end('SIGKILL');
          const [code] = await ended;
          if (round % 2 === 1) empty = await target.start();
          // It says that it is not whole, unless the restore was quicker than what killed it.
          const ready = await fetch(`${empty.url}/readyz`);
          const isReady = ready.ok && !('degraded' in ((await ready.json()) as object));
          expect(isReady).toBe(code === 0 && round % 2 === 1);
          if (code !== 0) continue;
          await empty.end();
          target = await installation(to);
          empty = await target.start();
        }
        await untilSilent(empty);
        const last = await (await tmsFor(empty)).run('restore', 'memory.backup', '--keep-keys');
        expect([last.code, last.stderr]).toEqual([0, '']);
        await empty.end();
        const copy = onService(source, await target.start());
        const present = onService(source, service);
        await untilTasksAreMade(copy.team);
        for (const list of ['items', 'tasks', 'decisions'])
          expect(await wholeList(copy.team, list)).toEqual(await wholeList(present.team, list));
      },
    );
  },
);

test('a service with data, a newer file and keys without a decision are refused before anything is written', {
  timeout: timeoutMs,
}, async () => {
  const service = await (await installation('SQLite')).start();
  const team = await changingTeam(service);
  const tms = await tmsFor(service);
  expect((await tms.run('backup', 'a.backup')).code).toBe(0);
  expect(await tms.run('backup', 'a.backup')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already/),
  });
  const before = await wholeList(team.team, 'items');
  expect(await tms.run('restore', 'a.backup', '--keep-keys')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/empty/),
  });
  expect(await tms.run('restore', 'a.backup')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--revoke-keys/),
  });
  await writeFile(join(tms.path, 'new.backup'), 'team-memory-backup 2 sha256:');
  expect(await tms.run('restore', 'new.backup', '--check')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/newer/),
  });
  expect(await tms.run('restore', 'absent.backup')).toMatchObject({ code: 2 });
  expect(await wholeList(team.team, 'items')).toEqual(before);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test.for(engines)(
  'of people who restore into the same service on %s at once, one succeeds and the others are told plainly',
  { timeout: timeoutMs },
  async (engine) => {
    const service = await (await installation('SQLite')).start();
    const team = await changingTeam(service);
    expect((await (await tmsFor(service)).run('backup', 'a.backup')).code).toBe(0);
    const target = await installation(engine);
    const empty = await target.start();
    const tms = await tmsFor(empty);
    const results = await Promise.all([1, 2, 3].map(() => tms.run('restore', 'a.backup', '--keep-keys')));
    const refused = results.filter(({ code }) => code !== 0);
    expect(refused).toHaveLength(2);
    for (const { stderr } of refused) expect(stderr).toMatch(/Another restore/);
    await empty.end();
    const copy = onService(team, await target.start());
    expect(await wholeList(copy.team, 'items')).toEqual(await wholeList(team.team, 'items'));
  },
);

test('with --revoke-keys no key of the backup is valid', { timeout: timeoutMs }, async () => {
  const service = await (await installation('SQLite')).start();
  const team = await changingTeam(service);
  expect((await (await tmsFor(service)).run('backup', 'a.backup')).code).toBe(0);
  const target = await installation('SQLite');
  const empty = await target.start();
  expect((await (await tmsFor(empty)).run('restore', 'a.backup', '--revoke-keys')).code).toBe(0);
  await empty.end();
  const copy = onService(team, await target.start());
  for (const holder of [copy.team, copy.external]) expect((await holder.pull()).status).toBe(401);
});
