import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@teammemory/process/run-process.ts';
import { type Answer, askYesOrNo, canBeAsked } from './ask.ts';
import { banner, demoText, signInText } from './banner.ts';
import { readAllSettings, type Settings, widenThreadPool } from './config.ts';
import { demoSignInLink, makeDemo } from './demo.ts';
import { demoFile } from './planned-demo.ts';
import { type Program, startProgram } from './program.ts';

/** The browser is opened and the event loop watched after the answer, so this is short. */
const answerTimeoutMs = 60_000;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The demo is a courtesy: a service that could not make it is as good as any. Returns a link that signs a browser in, if
 * there is a demo.
 */
async function showDemo(
  program: Program,
  { PUBLIC_URL }: Settings,
  { tms }: Surroundings,
): Promise<string | undefined> {
  try {
    const demo = await makeDemo(program, repository, () => confirmDemo(program));
    if (demo !== undefined)
      console.log(demoText(demo, program, { tms, isTerminal: process.stdout.isTTY === true }));
    const link = await demoSignInLink(program, PUBLIC_URL);
    if (link !== undefined) console.log(signInText(link));
    return link;
  } catch (error) {
    console.error(`The demo team could not be made or opened: ${(error as Error).message}`);
    return undefined;
  }
}

/** Asks for a demo beside data that was there before. The service answers meanwhile. */
async function confirmDemo({ dataDirectory }: Program): Promise<Answer> {
  const there = `There is data in ${dataDirectory.path} already.`;
  if (!canBeAsked()) {
    console.log(
      `${there} No demo team was made: start on a terminal to be asked, or with DEMO=off to be told no more.\n`,
    );
    return 'later';
  }
  const answer = await askYesOrNo(`${there} Make a demo team beside it?`, {
    input: process.stdin,
    output: process.stdout,
    timeoutMs: answerTimeoutMs,
  });
  const again = {
    yes: undefined,
    no: `Remove ${join(dataDirectory.path, demoFile)} to be asked again.`,
    later: 'The next start asks again.',
  }[answer];
  if (again !== undefined) console.log(`No demo team was made. ${again}\n`);
  return answer;
}

async function greet(program: Program, settings: Settings, surroundings: Surroundings): Promise<void> {
  console.log(banner(program, settings.HOST));
  if (program.engine === 'mongodb' && settings.REDIS_URL === undefined)
    console.log('Limits are counted in this process: set REDIS_URL before you run another gateway.\n');
  const hasDemo = program.engine === 'sqlite' && settings.DEMO === 'on';
  const link = hasDemo ? await showDemo(program, settings, surroundings) : undefined;
  surroundings.onDashboard?.(link ?? settings.PUBLIC_URL ?? program.addresses.gateway);
}

/** What differs between a checkout and the package from npm. */
export interface Surroundings {
  /** How `tms` is called here. */
  tms: string;
  /** Called once with the address of the dashboard, which signs a browser in if there is a demo. */
  onDashboard?: (address: string) => void;
}

/** Runs the whole service in this process until it is told to end. */
export function runAll(surroundings: Surroundings): Promise<void> {
  widenThreadPool();
  return runProcess(async () => {
    const settings = readAllSettings();
    const program = await startProgram(settings);
    const started = async () => {
      await greet(program, settings, surroundings);
      program.watch();
    };
    return { ...program, started };
  });
}
