import { fileURLToPath } from 'node:url';
import { toAppError } from '@teammemory/errors/to-app-error.ts';
import { banner, demoText } from './banner.ts';
import { readAllSettings } from './config.ts';
import { makeDemo } from './demo.ts';
import { type Program, startProgram } from './program.ts';

/** Going away takes no longer than this; what is under way then is cut. */
const stopTimeoutMs = 20_000;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Ends the process once, however often it is told to. */
function stopOnSignals(program: Program): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    await program.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** The demo is a courtesy: a service that could not make it is as good as any. */
async function showDemo(program: Program): Promise<void> {
  try {
    const demo = await makeDemo(program, repository);
    if (demo !== undefined) console.log(demoText(demo, program));
  } catch (error) {
    console.error(`The demo team could not be made: ${(error as Error).message}`);
  }
}

async function main(): Promise<void> {
  // Everything that is written is for this user alone, also in a data directory that others may enter.
  process.umask(0o077);
  const settings = readAllSettings();
  const program = await startProgram(settings);
  stopOnSignals(program);
  console.log(banner(program, settings.HOST));
  if (program.engine === 'mongodb') {
    console.log('Limits are counted in this process: run one gateway only.\n');
  } else if (settings.DEMO === 'on') {
    await showDemo(program);
  }
}

main().catch((thrown: unknown) => {
  const error = toAppError(thrown);
  console.error(error.code === 'internal' ? (error.cause ?? error) : error.message);
  process.exit(1);
});
