import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeOnSmallDisk, type SmallDisk, smallDisk } from '@teammemory/testkit/small-disk.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { readMetric } from './support/service/read-metric.ts';
import { runProgram } from './support/service/run-program.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { plentyOfWrites } from './support/service/shared-service.ts';
import { tmsFolder } from './support/sync/tms-folder.ts';

const timeoutMs = 240_000;
const full = 'The disk of the service is full.';
const reserveBytes = 32 * 2 ** 20;

await describeOnSmallDisk('on a full disk', () => {
  let disk: SmallDisk;
  let dataDirectory: string;
  beforeEach(async () => {
    disk = await smallDisk(96);
    dataDirectory = join(disk.path, 'data');
  });
  afterEach(() => disk.remove());

  async function start(): Promise<StartedService> {
    const service = await startService({ dataDirectory, environment: plentyOfWrites });
    onTestFinished(service.remove);
    return service;
  }
  const readiness = async (service: StartedService) => (await fetch(`${service.url}/readyz`)).json();
  const keyIdOf = (key: string) => key.split('_')[1] ?? '';

  test('reads, questions, removals, revocations and backups go on, also after a start, and pushes once there is room', {
    timeout: timeoutMs,
  }, async () => {
    const service = await start();
    const one = await newTeam(service);
    const { team } = one;
    const spare = await one.newKey('team');
    const later = await one.newKey('team');
    await team.push(item('a.md', 'Marmalade is kept in the cellar.'), item('tasks.md', '- [ ] buy jars'));
    // The last that is acknowledged: what is made from it has to be stored on the full disk.
    let last = 0;
    for (let number = 1; ; number += 1) {
      if (number === 5) disk.fill();
      const answer = await team.push(
        item(`${number}-todo.md`, `- [ ] number ${number}\n${'x'.repeat(500_000)}`),
      );
      if (answer.status === 200) last = number;
      else {
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect(answer.body.detail).toContain(full);
        break;
      }
    }
    expect(last).toBeGreaterThanOrEqual(4);

    const holds = async (running: StartedService) => {
      const reader = keyHolder(running, one, one.teamKey);
      expect(await readiness(running)).toEqual({ status: 'ready', degraded: ['disk full'] });
      expect(await readMetric(running.metricsUrl, 'teammemory_disk_full')).toBe(1);
      expect((await reader.rows('?prefix=a.md')).map(({ row_key }) => row_key)).toEqual(['a.md']);
      const tasks = await reader.call('/tasks');
      expect(JSON.stringify(tasks.body)).toContain(`number ${last}`);
      expect((await reader.ask('where is the marmalade kept')).text).toContain('cellar');
      expect((await reader.push(item(`${randomUUID()}.md`, 'x'))).body.detail).toContain(full);
    };
    await holds(service);
    // What strangers, guests and members try in vain takes nothing of the reserve.
    const kept = statSync(join(dataDirectory, 'reserve')).size;
    const tries = Array.from({ length: 20 }, (_, index) => [
      one.external.push(item(`guest-${index}.md`, 'x', { tier: 'external' })),
      team.push(item('a.md', `changed ${index}`)),
      one.external.call('/items/never.md', { method: 'DELETE' }),
      fetch(`${service.url}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.url },
        body: JSON.stringify({ key: index % 2 === 0 ? one.externalKey : 'nobody' }),
      }),
    ]);
    const statuses = await Promise.all(tries.flat().map(async (answer) => (await answer).status));
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    await expect(one.newKey('team')).rejects.toThrow(full);
    expect(statSync(join(dataDirectory, 'reserve')).size).toBe(kept);
    await asAdministrator(service, (admin) => admin.revokeKey(keyIdOf(spare)));
    for (const number of [1, 2, 3])
      expect(await team.remove(`${number}-todo.md`)).toMatchObject({ status: 204 });
    const elsewhere = await temporaryDirectory();
    onTestFinished(elsewhere.remove);
    const tms = await tmsFolder(join(elsewhere.path, 'folder'), {
      TMS_RPC_URL: service.rpcUrl,
      TMS_ADMIN_TOKEN: service.adminToken,
    });
    expect(await tms.run('backup', 'full.backup', '--verify')).toMatchObject({ code: 0 });
    expect(await tms.run('admin', 'audit', 'verify')).toMatchObject({ code: 0 });

    await service.end('SIGKILL');
    disk.fill();
    const again = await start();
    await holds(again);
    await asAdministrator(again, (admin) => admin.revokeKey(keyIdOf(later)));
    expect((await keyHolder(again, one, later).pull()).status).toBe(401);

    disk.free();
    const writer = keyHolder(again, one, one.teamKey);
    await eventually(
      'pushes are taken again',
      async () => (await writer.push(item('new.md', 'x'))).status === 200,
    );
    expect(await readiness(again)).toEqual({ status: 'ready' });
    expect(statSync(join(dataDirectory, 'reserve'))).toMatchObject({ size: reserveBytes });

    // Not even the files that SQLite needs beside an open database can be made now.
    await writer.ask('where is the marmalade kept');
    await again.end();
    rmSync(join(dataDirectory, 'reserve'));
    disk.fill();
    await holds(await start());
  });

  test('a first start says in one sentence that the disk is full', { timeout: timeoutMs }, async () => {
    disk.fill();
    const { code, stderr } = await runProgram(dataDirectory);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The disk of .* is full: make room and start again\.\n$/);
  });
});
