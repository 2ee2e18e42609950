import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './running-service.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** A refusal takes a second, one that waits for a server five; a loaded machine several times that. */
const exitTimeoutMs = 30_000;

/** What a program that ended left behind. */
export interface EndedProgram {
  /** Null where it had to be killed: it should have ended and did not. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the service where it is expected to refuse to start, and waits until it has ended. */
export function runProgram(
  dataDirectory: string,
  environment: Record<string, string> = {},
): Promise<EndedProgram> {
  return runToEnd(process.execPath, ['services/all/main.ts'], {
    ...programEnvironment(dataDirectory),
    ...environment,
  });
}

/** Runs any program from the repository's root until it ends or its time is up. */
export function runToEnd(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  timeoutMs = exitTimeoutMs,
): Promise<EndedProgram> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: repository,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const ended: EndedProgram = { code: null, stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        ended[stream] += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}
