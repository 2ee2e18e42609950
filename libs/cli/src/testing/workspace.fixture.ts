import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type FakeService, startFakeService } from './fake-service.fixture.ts';
import { type RunOutcome, runTms } from './run-tms.fixture.ts';

/** A temporary folder, a fake service and the program set up to use both. */
export interface Workspace {
  folder: string;
  service: FakeService;
  /** Names the service, the team and a key. */
  env: Record<string, string>;
  write(file: string, text: string | Uint8Array): Promise<void>;
  read(file: string): Promise<string>;
  /** Files below a folder, sorted, without the memory of the program. */
  list(folder: string): Promise<string[]>;
  run(...args: string[]): Promise<RunOutcome>;
  /** Runs with `--json`, checks the exit code, and gives the object printed. */
  runJson(exitCode: number, ...args: string[]): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function openWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
  const service = await startFakeService();
  const env = { TMS_URL: service.url, TMS_KEY: 'tms_id_secret', TMS_TEAM: 'demo', HOME: folder };
  const run = (...args: string[]) => runTms(args, { env, cwd: folder });
  return {
    folder,
    service,
    env,
    write: async (file, text) => {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    list: async (below) => {
      const entries = await readdir(join(folder, below), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.tms'));
      return files
        .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, below).length + 1))
        .sort();
    },
    run,
    runJson: async (exitCode, ...args) => {
      const outcome = await run(...args, '--json');
      expect(outcome, outcome.stderr).toMatchObject({ exitCode });
      return JSON.parse(outcome.stdout);
    },
    close: async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the environment of a workspace whose key is in the config file, as `tms login` leaves it. */
export async function storedKey({ env, write }: Workspace): Promise<Record<string, string>> {
  const { TMS_KEY: key, ...others } = env;
  const keys = { [`${env.TMS_URL} ${env.TMS_TEAM}`]: key };
  await write('.config/tms/config.json', JSON.stringify({ keys }));
  await chmod(join(`${env.HOME}`, '.config/tms/config.json'), 0o600);
  return others;
}
