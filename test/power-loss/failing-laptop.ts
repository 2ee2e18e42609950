import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { item } from '../support/http/api.ts';
import type { TeamClients } from '../support/http/key-holder.ts';
import type { ServicePlaces } from '../support/service/running-service.ts';
import { type TmsRun, tmsFolder } from '../support/sync/tms-folder.ts';
import { createCallFault, type FaultKind, type Operation } from './call-fault.ts';
import { createCallReader, type NotedChange, noteChange } from './call-log.ts';
import { createSimulatedDisk, type SimulatedDisk } from './crash-image.ts';
import { writeImage } from './images.ts';
import { recordedEnvironment } from './recorder.ts';

const program = join(import.meta.dirname, 'tms-runner.ts');

interface LaptopOptions {
  library: string;
  /** An empty folder. */
  folder: string;
  service: ServicePlaces;
  /** A team that nobody else changes. */
  team: TeamClients;
}

/** Something that `tms` does while calls fail. `end` ends its process. */
type LaptopOperation = Operation & { end(): void };

/** A folder in which every run of `tms` is recorded, and may fail. */
function recordedFolder({ library, folder }: LaptopOptions, environment: Record<string, string>) {
  const [root, log] = [join(folder, 'laptop'), join(folder, 'calls')];
  mkdirSync(root);
  const fault = createCallFault(join(folder, 'fault'));
  const recorded = {
    ...environment,
    ...recordedEnvironment({ library }, root, log),
    ...fault.environment,
    HOME: folder,
    PATH: process.env.PATH ?? '',
  };
  let runner: ChildProcess | undefined;
  const run = async (cwd: string, ...args: string[]): Promise<TmsRun> => {
    runner ??= fork(program, { cwd: root, env: recorded });
    runner.send({ args, cwd });
    const [answer] = await once(runner, 'message');
    return answer;
  };
  const end = () => {
    runner?.kill();
    runner = undefined;
  };
  /** Runs it while a call fails. A lock that is left over must be that of a process that has ended. */
  const fail = async (nth: number, kind: FaultKind, ...args: string[]) => {
    fault.arm(nth, kind);
    const { code, stderr } = await run(root, ...args);
    const call = fault.disarm();
    if (call?.includes('/lock') === true) end();
    return { code, call, answer: `${code} ${stderr}` };
  };
  const read = createCallReader(log);
  const disk = createSimulatedDisk();
  const current = (): SimulatedDisk => {
    for (const call of read()) disk.apply(call);
    return disk;
  };
  return {
    root,
    log,
    fault,
    run,
    fail,
    end,
    afterPowerLoss: () => current().crash('nothing', seededRandom(0)),
  };
}

/** A run of `tms sync` that has changes to take, to send and to remove in both directions. */
export async function failingSync(options: LaptopOptions): Promise<LaptopOperation> {
  const { service, team, folder } = options;
  const environment = { TMS_URL: service.url, TMS_TEAM: team.slug, TMS_KEY: team.teamKey };
  const { root, log, fault, run, fail, end, afterPowerLoss } = recordedFolder(options, environment);
  const image = join(folder, 'image');
  const expected: Record<string, string> = {};
  const stored = async () => textsOf(await team.team.rows('?limit=200'));
  const edit = (change: NotedChange) => {
    changeFile(root, change);
    noteChange(log, root, change);
  };
  let rounds = 0;

  async function prepare(): Promise<void> {
    rounds += 1;
    const [edited, made] = [`there/edited.md`, `there/new-${rounds}.md`];
    for (const [path, text] of [edited, made].map(
      (key) => [key, `${key}, ${rounds}\n`.repeat(90)] as const,
    )) {
      await team.team.push(item(path, text));
      expected[path] = text;
    }
    for (const path of ['here-edited.md', `here-new-${rounds}.md`]) {
      const text = `${path}, ${rounds}\n`.repeat(90);
      edit({ path, text });
      expected[path] = text;
    }
    if (rounds === 1) return;
    const [there, here] = [`there/new-${rounds - 1}.md`, `here-new-${rounds - 1}.md`];
    await team.team.remove(there);
    edit({ path: here });
    delete expected[there];
    delete expected[here];
  }

  /** What is not as expected after a run that says that all is in step. */
  async function differences(where: string): Promise<string[]> {
    const { files } = await tmsFolder(where, {});
    const sides = { 'the team has': await stored(), 'the folder has': await files() };
    return Object.entries(sides).flatMap(([side, texts]) =>
      [...new Set([...Object.keys(expected), ...Object.keys(texts)])]
        .filter((path) => texts[path] !== expected[path])
        .map(
          (path) =>
            `${side} ${texts[path]?.split('\n', 1)[0]} for ${path}, not ${expected[path]?.split('\n', 1)[0]}`,
        ),
    );
  }

  /** Runs once more without a fault. */
  async function next(where: string): Promise<string[]> {
    const { code, stderr } = await run(where, 'sync', '--allow-removals');
    return code === 0 ? differences(where) : [`the next run ends with ${code}: ${stderr}`];
  }

  await prepare();
  await run(root, 'init');
  const first = await next(root);
  if (first.length > 0) throw new Error(first.join('\n'));
  return {
    name: 'sync',
    async calls() {
      await prepare();
      return fault.count(() => run(root, 'sync', '--strict'));
    },
    async attempt(nth, kind) {
      await prepare();
      const { code, call, answer } = await fail(nth, kind, 'sync', '--strict');
      const faults = code === 0 ? (await differences(root)).map((each) => `it ends well, but ${each}`) : [];
      const left = afterPowerLoss();
      faults.push(...(await next(root)));
      writeImage(image, left);
      if ((await run(image, 'status')).code !== 0) await run(image, 'init');
      faults.push(...(await next(image)).map((each) => `after a power loss ${each}`));
      return { call, answer, faults };
    },
    end,
  };
}

/** A run of `tms backup`. */
export async function failingBackup(options: LaptopOptions): Promise<LaptopOperation> {
  const { service, folder } = options;
  const { root, fault, run, fail, end, afterPowerLoss } = recordedFolder(options, {
    TMS_RPC_URL: service.rpcUrl,
    TMS_ADMIN_TOKEN: service.adminToken,
  });
  const image = join(folder, 'image');
  let backups = 0;
  const next = () => {
    backups += 1;
    return ['backup', `${backups}.backup`] as const;
  };
  const faultsOf = async (where: string, path: string) => {
    const { code, stderr } = await run(root, 'restore', join(path, `${backups}.backup`), '--check');
    return code === 0 ? [] : [`${where}: ${stderr}`];
  };
  return {
    name: 'backup',
    calls: () => fault.count(() => run(root, ...next())),
    async attempt(nth, kind) {
      const before = archivesIn(root);
      const { code, call, answer } = await fail(nth, kind, ...next());
      const faults: string[] = [];
      const after = archivesIn(root);
      for (const [name, bytes] of before)
        if (after.get(name)?.equals(bytes) !== true) faults.push(`${name} is not what it was`);
      if (code === 0) {
        writeImage(image, afterPowerLoss());
        faults.push(...(await faultsOf('it ends well', root)));
        faults.push(...(await faultsOf('it ends well, and the power goes', image)));
      } else if (after.has(`${backups}.backup`))
        faults.push(...(await faultsOf('it ends with an error', root)));
      return { call, answer, faults };
    },
    end,
  };
}

const archivesIn = (root: string) =>
  new Map(
    readdirSync(root)
      .filter((name) => name.endsWith('.backup'))
      .map((name) => [name, readFileSync(join(root, name))]),
  );

const textsOf = (rows: { row_key: string; content: string }[]) =>
  Object.fromEntries(rows.map(({ row_key, content }) => [row_key, content]));

/** As an editor does that makes a file anew. */
function changeFile(root: string, { path, text }: NotedChange): void {
  const file = join(root, path);
  rmSync(file, { force: true });
  if (text !== undefined) writeFileSync(file, text);
}
