import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type DirectoryLock, lockDirectory, unwritable } from '@teammemory/sqlite/lock-directory.ts';
import { makeDirectory } from '@teammemory/sqlite/make-directory.ts';

/** Rights of the group and of all others. */
const writableByOthers = 0o022;
const anythingForOthers = 0o077;
/** The files that this program keeps in the directory. Other files are left alone. */
const ownFile = /^(?:lock|reserve|[a-z-]+\.(?:json|pem|sqlite))(?:-wal|-shm|-journal)?$/;

/** The sticky bit, and that everybody can write. */
const sharedByAll = 0o1002;

/** The directory that holds what the process keeps on its own machine. */
export interface DataDirectory {
  path: string;
  /** Changes made to keep others out of the directory, in sentences for the operator. */
  notices: readonly string[];
  /** Reads a file that `writeSecret` wrote; undefined if there is none. */
  readSecret(name: string): unknown;
  /** Writes JSON that only the owner may read, whole or not at all. */
  writeSecret(name: string, value: unknown): void;
  /** Removes a file that `writeSecret` wrote, if it is there. */
  removeSecret(name: string): void;
  release(): void;
}

/**
 * Makes the directory where it is missing and takes it for this process alone.
 * Rights that others have to it, or to this program's files in it, are taken
 * away.
 *
 * @throws AppError with one sentence when that cannot be done, and when the
 *   directory or such a file belongs to somebody else, or is a link.
 */
export function openDataDirectory(name: string): DataDirectory {
  const path = resolve(name);
  let notices: string[];
  let lock: DirectoryLock;
  try {
    makeDirectory(path);
    notices = keepOthersOut(path);
    lock = lockDirectory(path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unwritable(path, cause);
  }
  return {
    path,
    notices,
    readSecret(file) {
      try {
        return JSON.parse(readFileSync(join(path, file), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new AppError('invalid_request', `The file ${join(path, file)} cannot be read.`, {
          cause: error,
        });
      }
    },
    removeSecret: (file) => rmSync(join(path, file), { force: true }),
    writeSecret(file, value) {
      const target = join(path, file);
      const temporary = `${target}.${randomUUID()}.new`;
      try {
        // 'wx' follows no link and takes no existing file, whose owner could read what is written.
        writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
        renameSync(temporary, target);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    },
    release: lock.release,
  };
}

/** Returns what it changed. The directory comes first: from then on nobody else can put anything there. */
function keepOthersOut(path: string): string[] {
  // Windows has no such rights: what a directory inherits decides there.
  if (process.platform === 'win32' || !existsSync(path)) return [];
  const directory = statSync(path);
  // Nothing is changed of what is no directory for one program, as /dev/null and /tmp, which root could close to all.
  if (!directory.isDirectory()) throw new AppError('invalid_request', `${path} is not a directory.`);
  if ((directory.mode & sharedByAll) === sharedByAll)
    throw new AppError(
      'invalid_request',
      `All users of this machine share ${path}; name a directory below it.`,
    );
  refuseForeign(path, directory);
  const notices = restrict(path, directory, writableByOthers);
  for (const name of readdirSync(path).filter((each) => ownFile.test(each))) {
    const file = join(path, name);
    const stats = lstatSync(file);
    if (!stats.isFile())
      throw new AppError(
        'invalid_request',
        `${file} in the data directory must be a file, not a link or a directory.`,
      );
    refuseForeign(file, stats);
    notices.push(...restrict(file, stats, anythingForOthers));
  }
  return notices;
}

/** Whoever owns it can read it whenever they want; root can anyway, and owns the volumes of containers. */
function refuseForeign(path: string, { uid }: Stats): void {
  if (uid === 0 || uid === process.geteuid?.()) return;
  throw new AppError(
    'invalid_request',
    `${path} belongs to another user; give it to the user of this process.`,
  );
}

function restrict(path: string, { mode, uid, gid }: Stats, unwanted: number): string[] {
  const excess = mode & unwanted;
  if (excess === 0) return [];
  if (uid !== process.geteuid?.()) {
    // A container's volume is root's, and its group's to write: that is how the process gets in.
    if ((excess & 0o007) === 0 && process.getgroups?.().includes(gid)) return [];
    throw new AppError(
      'invalid_request',
      `${path} is open to other users; take their rights away with chmod.`,
    );
  }
  chmodSync(path, mode & 0o7777 & ~unwanted);
  return [
    `${path} was open to other users; their rights (${excess.toString(8).padStart(3, '0')}) were taken away.`,
  ];
}
