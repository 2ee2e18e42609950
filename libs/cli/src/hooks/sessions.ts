import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { CliContext } from '../cli-context.ts';
import { configPath } from '../config-file.ts';

/** Entries that are kept of each kind, the newest. */
const maxKept = 200;
const maxBytes = 256 * 1024;

const times = z.record(z.string().max(4_096), z.number());
const schema = z.object({ folders: times, sessions: times, nudged: times });

/** When sessions began, in milliseconds since the epoch: by folder the last one, by id each, and which were nudged. */
export type Sessions = z.infer<typeof schema>;

type FileContext = Pick<CliContext, 'env' | 'cwd'>;

/** Reads what earlier sessions left; nothing where that cannot be read. */
export async function readSessions(context: FileContext): Promise<Sessions> {
  const text = await readFile(pathOf(context), 'utf8').catch(() => '');
  try {
    return schema.parse(JSON.parse(text.length > maxBytes ? '' : text));
  } catch {
    return { folders: {}, sessions: {}, nudged: {} };
  }
}

/** Stores it, as far as that can be done: no session waits or fails for it. */
export async function writeSessions(context: FileContext, sessions: Sessions): Promise<void> {
  const path = pathOf(context);
  const temporary = `${path}.${randomUUID()}.tmp`;
  const kept = Object.fromEntries(Object.entries(sessions).map(([kind, each]) => [kind, newest(each)]));
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    await file.writeFile(JSON.stringify(kept)).finally(() => file.close());
    await rename(temporary, path);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

function newest(entries: Record<string, number>): Record<string, number> {
  const sorted = Object.entries(entries).toSorted(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted.slice(0, maxKept));
}

function pathOf(context: FileContext): string {
  return join(dirname(configPath(context)), 'sessions.json');
}
