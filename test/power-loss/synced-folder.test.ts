import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { tmsFolder } from '../support/sync/tms-folder.ts';
import { type Call, readCallLog } from './call-log.ts';
import { type Crash, checkCrashes } from './images.ts';
import { buildRecorder, recordedEnvironment } from './recorder.ts';

/** On each a run of `tms` takes a second. */
const images = 12;
const timeoutMs = 300_000;

const built = await temporaryDirectory();
const recorder = buildRecorder(built.path);
afterAll(built.remove);

const reason = 'reason' in recorder ? ` (skipped: ${recorder.reason})` : '';
describe.skipIf('reason' in recorder)(`power loss of a laptop${reason}`, { timeout: timeoutMs }, () => {
  const service = sharedService();
  const seed = Date.now() % 2 ** 31;
  let directory: TemporaryDirectory;
  let team: TeamClients;
  let calls: Call[];

  const environment = () => ({ TMS_URL: service().url, TMS_TEAM: team.slug, TMS_KEY: team.teamKey });
  const stored = async () =>
    Object.fromEntries(
      (await team.team.rows('?limit=200')).map(({ row_key, content }) => [row_key, content]),
    );

  beforeAll(async () => {
    console.log(`seed of synced-folder.test.ts: ${seed}`);
    directory = await temporaryDirectory();
    team = await newTeam(service());
    const [root, log] = [join(directory.path, 'notes'), join(directory.path, 'calls')];
    if ('reason' in recorder) return;
    await mkdir(root);
    const folder = await tmsFolder(root, { ...environment(), ...recordedEnvironment(recorder, root, log) });
    const keys = ['a.md', 'b/c.md', 'b/d/e.md', 'f/g.md'];
    await team.team.push(...keys.map((key) => item(key, `First of ${key}.\n`.repeat(100))));
    expect(await folder.run('init')).toMatchObject({ code: 0 });
    expect(await folder.run('sync')).toMatchObject({ code: 0 });
    await team.team.push(...['b/c.md', 'h/i.md'].map((key) => item(key, `Second of ${key}.\n`.repeat(100))));
    expect(await folder.run('sync')).toMatchObject({ code: 0 });
    calls = readCallLog(log);
  }, timeoutMs);
  afterAll(() => directory?.remove());

  async function* faultsOf(recorded: readonly Call[]): AsyncGenerator<string> {
    const before = await stored();
    const check = async ({ root }: { root: string }) => {
      const folder = await tmsFolder(root, environment());
      const isInitialized = (await folder.run('status')).code === 0;
      if (!isInitialized) await folder.run('init');
      const { code, stderr } = await folder.run('sync');
      if (code !== 0) return [`tms sync ends with ${code}: ${stderr}`];
      expect(await stored()).toEqual(before);
      expect(await folder.files()).toEqual(before);
      return [];
    };
    yield* checkCrashes(recorded, crashesOf(recorded, seed), { folder: directory.path, check });
  }

  test('takes nothing from the team, and the next run brings the folder into step', async () => {
    expect(await Array.fromAsync(faultsOf(calls))).toEqual([]);
  });

  test('is found to take something where files get their names before they are synced', async () => {
    const isNote = (path: string) => /(?:^|\/)\.tms-/.test(path) && !path.startsWith('.tms/');
    const planted = calls.filter((call) => call.kind !== 'sync' || !isNote(call.path));
    expect((await faultsOf(planted).next()).value).toBeDefined();
  });
});

/** Some are right behind the end of a run, the others anywhere. */
function crashesOf(calls: readonly Call[], seed: number): Crash[] {
  const random = seededRandom(seed);
  return Array.from({ length: images }, (_, index): Crash => {
    const after = index < 3 ? calls.length : random.integerBelow(calls.length);
    return { after, luck: index % 3 === 0 ? 'nothing' : 'chance', seed: random.integerBelow(2 ** 32) };
  }).sort((one, other) => one.after - other.after);
}
