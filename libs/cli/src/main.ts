import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runProgram } from './program.ts';
import { isSingleExecutable } from './single-executable.ts';

const stop = new AbortController();
// Not `once`: Ctrl-C arrives from the terminal and from bin/tms.js, and the second signal must not kill the process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// If the reader of stdout goes away, as in `tms ask … | head`, the command ends.
process.stdout.on('error', (error) => stop.abort(error));
// Messages that nobody reads are no reason to end.
process.stderr.on('error', () => undefined);

process.exitCode = await runProgram(process.argv.slice(2), {
  // Nothing else reads the environment.
  env: process.env,
  cwd: process.cwd(),
  // The same place from `src/` and from the `dist/` of the package.
  program: isSingleExecutable
    ? [process.execPath, 'tms']
    : [process.execPath, fileURLToPath(new URL('../bin/tms.js', import.meta.url))],
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
});
