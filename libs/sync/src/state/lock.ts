import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SyncError } from '../sync-error.ts';
import type { FileSystem } from './file-system.ts';
import { hasTexts } from './stored.ts';

/** A lock file has a few hundred bytes. */
const maxLockBytes = 4_096;
/** Taking over takes milliseconds; who needs longer has died. */
const takeoverMs = 10_000;

interface Owner {
  id: string;
  pid: number;
  host: string;
  /** When the process began, where the system tells: process ids are used again. */
  started?: string | undefined;
}

export interface Lock {
  /** Throws SyncError `lock_lost` if somebody else has the lock by now. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a workspace: the file `.tms/lock`, which names its process. The lock of a process that no longer runs is
 * taken over. Throws SyncError `locked`.
 */
export async function takeLock(files: FileSystem, folder: string): Promise<Lock> {
  const path = join(folder, 'lock');
  const owner: Owner = {
    id: crypto.randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
  };
  if (!(await createLock(files, path, owner))) await takeOver(files, path, owner);
  const check = async () => {
    if ((await readOwner(files, path))?.id === owner.id) return;
    throw new SyncError('lock_lost', 'Another process took over this workspace. Run the command again.');
  };
  await check();
  return {
    check,
    release: async () => {
      if ((await readOwner(files, path))?.id === owner.id) await files.remove(path);
    },
  };
}

async function createLock(files: FileSystem, path: string, owner: object): Promise<boolean> {
  try {
    await files.create(path, Buffer.from(JSON.stringify(owner)), { mode: 0o600, flush: false });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

/** Only one process at a time looks whether the owner is alive, so that no two of them remove each other's new lock. */
async function takeOver(files: FileSystem, path: string, owner: Owner): Promise<void> {
  const gate = `${path}.takeover`;
  if (!(await createLock(files, gate, { id: owner.id }))) {
    const stat = await files.stat(gate);
    if (stat !== undefined && Date.now() - stat.modifiedAt < takeoverMs)
      throw locked(await readOwner(files, path));
    await files.remove(gate);
    if (!(await createLock(files, gate, { id: owner.id }))) throw locked(await readOwner(files, path));
  }
  try {
    const other = await readOwner(files, path);
    if (other === undefined ? await isBeingWritten(files, path) : isAlive(other)) throw locked(other);
    await files.remove(path);
    if (!(await createLock(files, path, owner))) throw locked(await readOwner(files, path));
  } finally {
    await files.remove(gate);
  }
}

/** A lock without an owner was made this moment, or its process died while it made it. */
async function isBeingWritten(files: FileSystem, path: string): Promise<boolean> {
  const stat = await files.stat(path);
  return stat !== undefined && Date.now() - stat.modifiedAt < takeoverMs;
}

/** Undefined for a lock that is missing or was cut off when its process died. */
async function readOwner(files: FileSystem, path: string): Promise<Owner | undefined> {
  if ((await files.stat(path)) === undefined) return undefined;
  try {
    const bytes = await files.read(path, maxLockBytes);
    const owner: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return isOwner(owner) ? owner : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

function isOwner(value: unknown): value is Record<string, unknown> & Owner {
  if (!hasTexts(value, 'id', 'host')) return false;
  const { pid, started } = value;
  return (
    Number.isSafeInteger(pid) && Number(pid) > 0 && (started === undefined || typeof started === 'string')
  );
}

/** A process of another machine cannot be asked, and counts as alive. */
function isAlive({ pid, host, started }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (cause) {
    // EPERM: it runs, and belongs to somebody else.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
  return started === undefined || startOf(pid) === undefined || startOf(pid) === started;
}

/** Linux only: clock ticks from boot to the start of a process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function locked(owner: Owner | undefined): SyncError {
  const who = owner === undefined ? 'Another process' : `Process ${owner.pid} on ${owner.host}`;
  const next = 'Wait until it is done. If it no longer runs there, delete .tms/lock.';
  return new SyncError('locked', `${who} works in this folder. ${next}`);
}
