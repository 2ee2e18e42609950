import type { Call } from './call-log.ts';

/** Faults of a program, made in what was recorded of a good one: as if it had left a call out, or answered too early. */
export const plantedFaults: Readonly<Record<string, (calls: readonly Call[]) => Call[]>> = {
  'directories are never synced': (calls) => {
    const folders = new Set(['.', ...calls.flatMap((call) => (call.kind === 'folder' ? [call.path] : []))]);
    return calls.filter((call) => call.kind !== 'sync' || !folders.has(call.path));
  },
  'answers come before the sync of their commit': (calls) => {
    const early: Call[] = [];
    for (const call of calls) {
      const before = call.kind === 'mark' ? early.findLastIndex(({ kind }) => kind === 'sync') : -1;
      if (before === -1) early.push(call);
      else early.splice(before, 0, call);
    }
    return early;
  },
};
