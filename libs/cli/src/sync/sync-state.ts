import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { makeDirectory, missingIsUndefined, writeFileAtomically } from './file-system.ts';

/** A crash loses at most this much of the state. Saving more often would cost more than the sync itself. */
const saveIntervalMs = 2_000;

const knownFileSchema = z.object({
  row_key: z.string(),
  /** Checksum of the service's version that this file corresponds to. */
  checksum: z.string(),
  /** Checksum of the file after the last sync. If the file has another one, it was edited here. */
  file_checksum: z.string(),
  tier: z.string(),
  /** Path, relative to the folder, of an incoming version that has to be merged. */
  conflict_file: z.string().optional(),
});

const remoteSchema = z.object({
  url: z.string(),
  team: z.string(),
  /** Cursor of the next pull. */
  cursor: z.string().optional(),
  /** A list rather than an object, because a row_key may be `__proto__`. */
  files: z.array(knownFileSchema),
  /** Row_keys that a pull left out because tools would take the file for instructions. */
  skipped: z.array(z.string()).optional(),
});

const stateSchema = z.object({ version: z.literal(1), remotes: z.array(remoteSchema) });

type Remote = z.infer<typeof remoteSchema>;

/** The state of one file. */
export type KnownFile = z.infer<typeof knownFileSchema>;

/** The sync state of a folder with one team of one service, stored in `.tms/state.json`. */
export interface SyncState {
  /** The synced folder. */
  folder: string;
  cursor: string | undefined;
  /** By row_key. */
  files: Map<string, KnownFile>;
  /** Row_keys that a pull left out because tools would take the file for instructions. */
  skipped: Set<string>;
  /** The conflict copies of all teams, which are not items. */
  conflictFiles: ReadonlySet<string>;
  save(): Promise<void>;
  /** Saves if the last save is long enough ago. */
  saveIfDue(): Promise<void>;
}

/** Reads the state of a folder. Throws CliError `bad_state` for a damaged file. */
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
    throw new CliError(
      'bad_state',
      `${path} is damaged. Delete it to start over; none of your files is lost.`,
    );
  }
}

async function writeRemotes(folder: string, remotes: Remote[]): Promise<void> {
  const directory = await stateFolder(folder);
  await makeDirectory(directory);
  const state: z.infer<typeof stateSchema> = { version: 1, remotes };
  await writeFileAtomically(join(directory, 'state.json'), Buffer.from(JSON.stringify(state)));
}

/** A folder from somebody else may contain a link named `.tms`, and the state must not be written to its target. */
async function stateFolder(folder: string): Promise<string> {
  const path = join(folder, '.tms');
  const stats = await lstat(path).catch(missingIsUndefined);
  if (stats === undefined || stats.isDirectory()) return path;
  throw new CliError('bad_state', `${path} must be a folder.`);
}
