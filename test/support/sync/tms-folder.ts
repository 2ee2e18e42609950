import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const program = join(import.meta.dirname, '../../../libs/cli/src/main.ts');
/** With what Node compiled at an earlier start, the next one takes half the time. */
const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/node');

export interface TmsRun {
  /** Null for a run that was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder of a user, and the real `tms`, each run in a process of its own. */
export interface TmsFolder {
  path: string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** The texts of all files by name, without what `tms` remembers. */
  files(): Promise<Record<string, string>>;
  /** Runs `tms` in the folder. */
  run(...args: string[]): Promise<TmsRun>;
  /** Starts it and leaves it running. The test ends it. */
  start(...args: string[]): ChildProcess;
  /** Runs it and kills it with force after some milliseconds, if it still runs then. */
  runAndKill(afterMs: number, ...args: string[]): Promise<TmsRun>;
}

/** Opens a folder, which is made if it is missing. `environment` names service, team and key. */
export async function tmsFolder(path: string, environment: Record<string, string>): Promise<TmsFolder> {
  await mkdir(path, { recursive: true });
  const at = (name: string) => join(path, ...name.split('/'));
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [program, ...args], {
      cwd: path,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: dirname(path),
        NODE_COMPILE_CACHE: compileCache,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    path,
    write: async (name, text) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    },
    read: (name) => readFile(at(name), 'utf8'),
    remove: (name) => rm(at(name)),
    rename: async (from, to) => {
      await mkdir(dirname(at(to)), { recursive: true });
      await rename(at(from), at(to));
    },
    files: async () => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const names = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
        .filter((name) => !name.startsWith('.tms/'))
        .sort();
      const texts = await Promise.all(names.map(async (name) => [name, await readFile(at(name), 'utf8')]));
      return Object.fromEntries(texts);
    },
    start: (...args) => start(args),
    run: (...args) => outcomeOf(start(args)),
    runAndKill: async (afterMs, ...args) => {
      const child = start(args);
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      return outcomeOf(child).finally(() => clearTimeout(timer));
    },
  };
}

async function outcomeOf(child: ChildProcess): Promise<TmsRun> {
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { ...text, code };
}
