import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { startService } from '../support/service/running-service.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';
import { type Call, readCallLog } from './call-log.ts';
import { openJournal } from './expectation.ts';
import { type Checked, type Crash, checkCrashes, chooseCrashes } from './images.ts';
import { readRestored, readStores } from './read-stores.ts';
import { buildRecorder, recordedEnvironment } from './recorder.ts';

const images = 30;
const timeoutMs = 300_000;

const built = await temporaryDirectory();
const recorder = buildRecorder(built.path);
afterAll(built.remove);

const reason = 'reason' in recorder ? ` (skipped: ${recorder.reason})` : '';
describe.skipIf('reason' in recorder)(`power loss and backups${reason}`, { timeout: timeoutMs }, () => {
  const service = sharedService();
  const seed = Date.now() % 2 ** 31;
  const acknowledged: string[] = [];
  let directory: TemporaryDirectory;
  let laptop: TmsFolder;
  /** Of the folder into which backups are written while items are pushed. */
  let backupCalls: Call[];
  /** Of the directory of a service into which the last of them is restored. */
  let restoreCalls: Call[];
  let target: string;

  beforeAll(async () => {
    if ('reason' in recorder) return;
    console.log(`seed of restore.test.ts: ${seed}`);
    directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    const recorded = (name: string) => recordedEnvironment(recorder, at(name), at(`${name}.calls`));
    for (const name of ['laptop', 'target']) await mkdir(at(name));
    target = join(at('target'), 'data');

    const { rpcUrl, adminToken } = service();
    laptop = await tmsFolder(at('laptop'), {
      TMS_RPC_URL: rpcUrl,
      TMS_ADMIN_TOKEN: adminToken,
      ...recorded('laptop'),
    });
    const backups = openJournal(at('laptop.calls'));
    const pushing = startPushing(await newTeam(service()));
    for (const name of ['one', 'two']) {
      await eventually('items are pushed', () => pushing.pushed.length > acknowledged.length);
      acknowledged.splice(0, acknowledged.length, ...pushing.pushed);
      await backups.act(
        { makes: ['backup'] },
        async () => expect(await laptop.run('backup', name)).toMatchObject({ code: 0 }),
        () => ({ made: [[`backup ${name}`, 'whole']] }),
      );
    }
    await pushing.end();
    backupCalls = readCallLog(at('laptop.calls'));

    const empty = await startService({ dataDirectory: target, environment: recorded('target') });
    const { run } = await tmsFolder(at('elsewhere'), {
      TMS_RPC_URL: empty.rpcUrl,
      TMS_ADMIN_TOKEN: empty.adminToken,
    });
    await openJournal(at('target.calls')).act(
      { makes: ['restore'] },
      async () =>
        expect(await run('restore', join(laptop.path, 'two'), '--keep-keys')).toMatchObject({ code: 0 }),
      () => ({ made: [['restore two', 'done']] }),
    );
    await empty.end('SIGKILL');
    await empty.remove();
    restoreCalls = readCallLog(at('target.calls'));
  }, timeoutMs);
  afterAll(() => directory?.remove());

  test('a backup that was finished is whole, and what was acknowledged before it is in it', async () => {
    const { run } = await tmsFolder(join(directory.path, 'reader'), {});
    const check = async ({ root, expectation }: Checked) => {
      const faults: string[] = [];
      for (const name of ['one', 'two']) {
        if (expectation.certain(`backup ${name}`) !== 'whole') continue;
        const { code, stderr } = await run('restore', join(root, name), '--check');
        if (code !== 0) faults.push(stderr);
      }
      return faults;
    };
    // Where both are acknowledged, and right behind the first.
    const ends = backupCalls.flatMap(({ kind }, index) => (kind === 'mark' ? [index + 1] : []));
    const crashes = [ends[1], ends[3]].map((after = 0) => ({ after, luck: 'nothing', seed }) as const);
    const folder = directory.path;
    expect(await Array.fromAsync(checkCrashes(backupCalls, crashes, { folder, check }))).toEqual([]);
    const { states } = await readStores(target, []);
    expect(acknowledged.filter((key) => !states.has(`item ${key}`))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(1);
  });

  async function faultsOfRestore(calls: readonly Call[], crashes: readonly Crash[]): Promise<string[]> {
    const whole = await readRestored(target);
    const check = async ({ root, expectation }: Checked) => {
      await mkdir(join(root, 'data'), { recursive: true, mode: 0o700 });
      const restored = await readRestored(join(root, 'data'));
      const isDone = expectation.certain('restore two') === 'done';
      return [...restored].flatMap(([name, { rows, isEmpty, isFinished }]) => {
        if (isDone && isFinished !== true) return [`the restore of ${name} was done, and is not finished`];
        if (isFinished === undefined && !isEmpty) return [`${name} has rows that no restore accounts for`];
        const found = countsOf(rows);
        const isSame = found === countsOf(whole.get(name)?.rows ?? {});
        return isFinished === true && !isSame ? [`${name} is restored as ${found}`] : [];
      });
    };
    return Array.fromAsync(checkCrashes(calls, crashes, { folder: directory.path, check }));
  }

  test('a restore is whole once it was done, and can be begun anew before, on 30 images of a crash', async () => {
    const crashes = chooseCrashes(restoreCalls, images, seed);
    expect(await faultsOfRestore(restoreCalls, crashes)).toEqual([]);
  });

  test('a restore is found that does not sync what it writes at its end', async () => {
    const answer = restoreCalls.findLastIndex(({ kind }) => kind === 'mark');
    const unsynced = restoreCalls.filter(
      ({ kind }, index) => kind !== 'sync' || index < answer / 2 || index > answer,
    );
    const after = unsynced.findLastIndex(({ kind }) => kind === 'mark') + 1;
    const found = await faultsOfRestore(unsynced, [{ after, luck: 'nothing', seed }]);
    expect(found).toContainEqual(expect.stringContaining('was done, and is not finished'));
  });
});

/** Rows by section, without those of the audit log, which has entries of its own. */
const countsOf = (rows: Record<string, number>) =>
  JSON.stringify(Object.entries(rows).filter(([section]) => !section.includes('audit')));

/** Pushes one item after the other, until it is ended. */
function startPushing({ team }: TeamClients): { pushed: string[]; end(): Promise<void> } {
  const pushed: string[] = [];
  let isEnding = false;
  const pushing = (async () => {
    for (let number = 0; !isEnding; number += 1) {
      const { status } = await team.push(item(`${number}.md`, `Number ${number}.\n`.repeat(200)));
      if (status === 200) pushed.push(`${number}.md`);
    }
  })();
  return {
    pushed,
    async end() {
      isEnding = true;
      await pushing;
    },
  };
}
