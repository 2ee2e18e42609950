import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const source = join(import.meta.dirname, 'recorder.c');

/** The built library, or why there is none. */
export type Recorder = { library: string } | { reason: string };

/** Builds recorder.c by the compiler of this machine, into a folder. */
export const buildRecorder = (folder: string): Recorder => buildPreloaded(source, folder);

/** Builds a library that can be preloaded into programs, from one file of C, into a folder. */
export function buildPreloaded(source: string, folder: string): Recorder {
  if (process.platform !== 'linux') return { reason: 'only Linux preloads a library like this' };
  const library = join(folder, `${basename(source, '.c')}.so`);
  const options = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', '-o', library];
  const { status, error, stderr } = spawnSync('cc', [...options, source, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  });
  return status === 0 ? { library } : { reason: `cc: ${error?.message ?? stderr.trim()}` };
}

/** What a program needs in its environment to be recorded, from a log that is empty or goes on. */
export function recordedEnvironment({ library }: { library: string }, root: string, log: string) {
  writeFileSync(log, '', { flag: 'a' });
  return { LD_PRELOAD: library, POWER_LOSS_ROOT: root, POWER_LOSS_LOG: log };
}
