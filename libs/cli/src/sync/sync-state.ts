import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { makeDirectory, missingIsUndefined, writeFileAtomically } from './file-system.ts';

/** A crash loses at most this much of what was remembered; saving more often would cost more than the work itself. */
const saveIntervalMs = 2_000;

const knownFileSchema = z.object({
  row_key: z.string(),
  /** The version of the service that this file stands for. */
  checksum: z.string(),
  /** Of the bytes that such a file has here; another one means a local edit. */
  file_checksum: z.string(),
  tier: z.string(),
  /** Path, relative to the folder, of an incoming version that waits to be merged. */
  conflict_file: z.string().optional(),
});

const remoteSchema = z.object({
  url: z.string(),
  team: z.string(),
  /** Where the next pull goes on. */
  cursor: z.string().optional(),
  /** A list, not an object: a row_key may be `__proto__`. */
  files: z.array(knownFileSchema),
  /** Row_keys that a pull left out because tools would obey the file. */
  skipped: z.array(z.string()).optional(),
});

const stateSchema = z.object({ version: z.literal(1), remotes: z.array(remoteSchema) });

type Remote = z.infer<typeof remoteSchema>;

/** What is known about one file. */
export type KnownFile = z.infer<typeof knownFileSchema>;

/** What a folder remembers about one team of one service, in `.tms/state.json`. */
export interface SyncState {
  /** The folder that remembers. */
  folder: string;
  cursor: string | undefined;
  /** By row_key. */
  files: Map<string, KnownFile>;
  /** Row_keys of items that are not in the folder because tools would obey them. */
  skipped: Set<string>;
  /** Conflict copies of all teams: they are not items. */
  conflictFiles: ReadonlySet<string>;
  save(): Promise<void>;
  /** Saves when the last time is long enough ago. */
  saveIfDue(): Promise<void>;
}

/** Reads what `folder` remembers about a team. Throws CliError `bad_state` for a damaged file. */
export async function openSyncState(
  folder: string,
  { url, team }: { url: string; team: string },
): Promise<SyncState> {
  const remotes = await readRemotes(folder);
  const known = remotes.find((remote) => remote.url === url && remote.team === team);
  const others = remotes.filter((remote) => remote !== known);
  const conflictFiles = remotes.flatMap(({ files }) => files.flatMap((file) => file.conflict_file ?? []));
  let savedAt = Date.now();
  const state: SyncState = {
    folder,
    cursor: known?.cursor,
    files: new Map(known?.files.map((file) => [file.row_key, file])),
    skipped: new Set(known?.skipped),
    conflictFiles: new Set(conflictFiles),
    save: async () => {
      const { cursor } = state;
      const skipped = state.skipped.size > 0 ? [...state.skipped] : undefined;
      await writeRemotes(folder, [
        ...others,
        { url, team, cursor, files: [...state.files.values()], skipped },
      ]);
      savedAt = Date.now();
    },
    saveIfDue: async () => {
      if (Date.now() - savedAt >= saveIntervalMs) await state.save();
    },
  };
  return state;
}

async function readRemotes(folder: string): Promise<Remote[]> {
  const path = join(await stateFolder(folder), 'state.json');
  const text = await readFile(path, 'utf8').catch(missingIsUndefined);
  if (text === undefined) return [];
  try {
    return stateSchema.parse(JSON.parse(text)).remotes;
  } catch {
    throw new CliError('bad_state', `${path} is damaged; delete it to start over, no file of yours is lost.`);
  }
}

async function writeRemotes(folder: string, remotes: Remote[]): Promise<void> {
  const directory = await stateFolder(folder);
  await makeDirectory(directory);
  const state: z.infer<typeof stateSchema> = { version: 1, remotes };
  await writeFileAtomically(join(directory, 'state.json'), Buffer.from(JSON.stringify(state)));
}

/** A folder from elsewhere may come with a `.tms` that is a link, and state must not be written to where it leads. */
async function stateFolder(folder: string): Promise<string> {
  const path = join(folder, '.tms');
  const stats = await lstat(path).catch(missingIsUndefined);
  if (stats === undefined || stats.isDirectory()) return path;
  throw new CliError('bad_state', `${path} must be a folder.`);
}
