import { fileURLToPath } from 'node:url';
import { runProcess } from '@teammemory/process/run-process.ts';
import { banner, demoText, signInText } from './banner.ts';
import { readAllSettings, type Settings } from './config.ts';
import { demoSignInLink, makeDemo } from './demo.ts';
import { type Program, startProgram } from './program.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The demo is a courtesy: a service that could not make it is as good as any. */
async function showDemo(
  program: Program,
  { PUBLIC_URL }: Settings,
  { tms, onSignInLink }: Surroundings,
): Promise<void> {
  try {
    const demo = await makeDemo(program, repository, () =>
      console.log('There are teams already, so no demo team was made.\n'),
    );
    if (demo !== undefined)
      console.log(demoText(demo, program, { tms, isTerminal: process.stdout.isTTY === true }));
    const link = await demoSignInLink(program, PUBLIC_URL);
    if (link === undefined) return;
    console.log(signInText(link));
    onSignInLink?.(link);
  } catch (error) {
    console.error(`The demo team could not be made or opened: ${(error as Error).message}`);
  }
}

async function greet(program: Program, settings: Settings, surroundings: Surroundings): Promise<void> {
  console.log(banner(program, settings.HOST));
  if (program.engine === 'mongodb') {
    if (settings.REDIS_URL !== undefined) return;
    console.log('Limits are counted in this process: set REDIS_URL before you run another gateway.\n');
  } else if (settings.DEMO === 'on') {
    await showDemo(program, settings, surroundings);
  }
}

/** What differs between a checkout and the package from npm. */
export interface Surroundings {
  /** How `tms` is called here. */
  tms: string;
  /** Called once with the link that signs a browser in, if there is a demo. */
  onSignInLink?: (link: string) => void;
}

/** Runs the whole service in this process until it is told to end. */
export function runAll(surroundings: Surroundings): Promise<void> {
  return runProcess(async () => {
    const settings = readAllSettings();
    const program = await startProgram(settings);
    return { ...program, started: () => greet(program, settings, surroundings) };
  });
}
