import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EndedProgram, runToEnd } from '../service/run-program.ts';

const guide = join(import.meta.dirname, '../../../docs/client-guide.md');

/** A folder that is synced with a key, as a reader of the client guide does it. */
export interface SyncedFolder {
  path: string;
  /** Syncs once, to the end. */
  sync(): Promise<EndedProgram>;
  /** Begins to sync, to be ended before it has. */
  start(): ReturnType<typeof spawn>;
  write(file: string, text: string | Uint8Array): Promise<void>;
  remove(file: string): Promise<void>;
  /** Every file with its text, without the state file. Links must be gone: Node's readdir follows them. */
  files(): Promise<Record<string, string>>;
}

/** Copies a program out of docs/client-guide.md: the block that begins with its name. */
export async function copyFromGuide(name: string, directory: string): Promise<void> {
  const page = await readFile(guide, 'utf8');
  const [, program] = new RegExp(`^\`\`\`js\\n(// ${name} [\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (program === undefined) throw new Error(`docs/client-guide.md has no ${name}`);
  await writeFile(join(directory, name), program);
}

/** Opens a folder below the directory that `sync.mjs` was copied to. */
export async function syncedFolder(
  directory: string,
  name: string,
  environment: Record<string, string>,
): Promise<SyncedFolder> {
  const path = join(directory, name);
  await mkdir(path, { recursive: true });
  const args = [join(directory, 'sync.mjs'), path];
  return {
    path,
    sync: () => runToEnd(process.execPath, args, environment),
    start: () => spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] }),
    async write(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    },
    remove: (file) => rm(join(path, file)),
    async files() {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && entry.name !== '.sync-state.json');
      const paths = files.map((entry) => join(entry.parentPath, entry.name));
      const texts = paths.map(async (file) => [file.slice(path.length + 1), await readFile(file, 'utf8')]);
      return Object.fromEntries(await Promise.all(texts));
    },
  };
}
