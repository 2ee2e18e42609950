import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@teammemory/errors/app-error.ts';
import { makeDirectory } from '@teammemory/sqlite/make-directory.ts';
import { startOfMachine } from '@teammemory/sqlite/start-of-machine.ts';
import { type FeedPositions, noPositions } from '../domain/passages/feeds.ts';

const ending = '.index';
/** SQLite keeps what it writes beside a file in these. */
const companions = ['', '-wal', '-shm', '-journal'];
/** A user who can write files there can put words into a team's answers. */
const writableByAll = 0o002;

/** The file of a team's index. */
export function indexPath(directory: string, teamId: string): string {
  return join(directory, createHash('sha256').update(teamId).digest('hex').slice(0, 32) + ending);
}

/** The files of indexes in a directory. */
export function indexPathsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name));
}

/** Size of a file with what belongs to it; 0 where there is none. */
export function bytesOfIndex(path: string): number {
  return companions.reduce(
    (sum, companion) => sum + (statSync(path + companion, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Removes a file with what belongs to it. Threads that have it open notice that it is another one. */
export function removeIndex(path: string): void {
  for (const companion of companions) rmSync(path + companion, { force: true });
}

/**
 * Makes the directory where it is missing, for this user alone, and removes files that are of no use: damaged ones, those
 * of another program, and those ahead of what they were made from, as they are after an older copy of it came back.
 * `isAhead` says of which files that is so. To be called before anything is added: new changes take the positions of
 * those that are lost.
 * @throws AppError `unavailable` with one sentence where files cannot be kept there, or others could.
 */
export async function prepareIndexDirectory(
  directory: string,
  isAhead: (teamId: string, positions: FeedPositions) => Promise<boolean>,
): Promise<void> {
  try {
    makeDirectory(directory);
    if (!statSync(directory).isDirectory()) throw new Error('it is not a directory');
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new AppError('unavailable', `The directory for search indexes ${directory} cannot be written.`, {
      cause,
    });
  }
  // Windows has no such rights: what a directory inherits decides there.
  if (process.platform !== 'win32' && (statSync(directory).mode & writableByAll) !== 0)
    throw new AppError('unavailable', `Everybody can write the directory for search indexes ${directory}.`);
  const paths = indexPathsIn(directory);
  if (paths.length === 0) return;
  // Cutting words takes 5 MB of memory, which a process without files has no use for.
  const { headOfFile, programFingerprint } = await import('./index-head.ts');
  const program = programFingerprint(startOfMachine());
  for (const path of paths) {
    const head = headOfFile(path);
    const isOfUse = head?.program === program && !(await isAhead(head.teamId, head.positions ?? noPositions));
    if (!isOfUse) removeIndex(path);
  }
}

/** Thrown where the disk of the directory has no room for what an index needs. */
export class IndexDiskFull extends AppError {
  constructor(cause?: unknown) {
    super('unavailable', 'There is no room on the disk for the search index of this team.', { cause });
  }
}
