import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openInBrowser } from '../open-in-browser.ts';
import { isSingleExecutable } from '../single-executable.ts';
import { environment, setEnvironment } from './environment.ts';
import { type Part, runServiceProgram } from './program.ts';

/** What the package brings beside this program, loaded when it is started. */
export interface Programs {
  /** The module of the whole service, as `services/all/run.ts` has it. */
  all(): Promise<{
    runAll(surroundings: { tms: string; onDashboard?: (address: string) => void }): Promise<void>;
  }>;
  /** Loading a part starts it. */
  parts: Record<Part, () => Promise<unknown>>;
}

/** Runs `team-memory-service` with the arguments of this process. */
export async function main(programs: Programs): Promise<void> {
  const script = process.argv[1] ?? '';
  const code = await runServiceProgram(process.argv.slice(2), {
    env: environment,
    cwd: process.cwd(),
    platform: process.platform,
    command: isSingleExecutable ? [process.execPath] : [process.execPath, script],
    stdout: process.stdout,
    stderr: process.stderr,
    async runAll(settings, { open }) {
      setEnvironment(settings);
      const { runAll } = await programs.all();
      await runAll({
        tms: tmsCommand(script),
        onDashboard: (address) => {
          returnMemoryOfStart();
          if (open) void openOrSay(address);
        },
      });
    },
    async runPart(part, settings) {
      setEnvironment(settings);
      await programs.parts[part]();
    },
  });
  if (code !== undefined) process.exitCode = code;
}

/** The address was shown before. */
async function openOrSay(address: string): Promise<void> {
  const failed = await openInBrowser(address, { env: environment });
  if (failed !== undefined)
    process.stderr.write(`No browser could be started with ${failed}: open the address yourself.\n`);
}

/** The start leaves room for what it made and no longer needs. V8 would give that back only after much more work. */
function returnMemoryOfStart(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** How `tms` is started where the service was started by `script`. */
function tmsCommand(script: string): string {
  if (isSingleExecutable) return `${script} tms`;
  return /[\\/]_npx[\\/]/.test(script) ? 'npx --package team-memory-service tms' : 'tms';
}
