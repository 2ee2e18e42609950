import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version the contract suites were written against; a newer one is a change to try, not to pick up. */
const version = '0.7.0b3';
/** Python interpreters to look for, the machine's default first; SecantusDB needs 3.10. */
const interpreters = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** An interpreter answers in far less; one that asks or hangs must not hold the tests. */
const interpreterTimeoutMs = 10_000;
/** About 50 MB of wheels on a slow line. */
const installTimeoutMs = 240_000;

const folder = join(import.meta.dirname, '..', '..', '.servers');

/** How to start SecantusDB, or why that cannot be. */
export type PreparedSecantusdb = { name: string; program: string; args: string[] } | { reason: string };

/**
 * Installs SecantusDB, a server that speaks MongoDB's protocol over WiredTiger,
 * into a virtual environment below `.servers/`; does nothing when it is there.
 */
export async function prepareSecantusdb(): Promise<PreparedSecantusdb> {
  const home = join(folder, `secantusdb-${version}`);
  if (!existsSync(home)) {
    const reason = await install(home);
    if (reason !== undefined) return { reason };
  }
  // Through the interpreter, not by the script's own first line, which names the folder it was installed in.
  const bin = join(home, process.platform === 'win32' ? 'Scripts' : 'bin');
  return { name: `SecantusDB ${version}`, program: join(bin, 'python'), args: [join(bin, 'secantusd-py')] };
}

async function install(home: string): Promise<string | undefined> {
  const python = await findPython();
  if (python === undefined)
    return 'no MONGODB_URL, no mongod on the path and no Python 3.10 or later for SecantusDB';
  process.stderr.write(
    `Preparing SecantusDB ${version} below .servers/, once, for the MongoDB half of the tests.\n`,
  );
  // Made aside and renamed when complete: an interrupted installation is never taken for a good one, and of
  // two test runs that prepare at once one wins.
  const draft = join(folder, `draft-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await run(python, ['-m', 'venv', draft], { timeout: installTimeoutMs });
    const bin = join(draft, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
    await run(bin, ['-m', 'pip', 'install', '--quiet', `SecantusDB==${version}`], {
      timeout: installTimeoutMs,
    });
    await rename(draft, home);
  } catch (error) {
    if (!existsSync(home)) return `SecantusDB could not be installed: ${lastLine(error)}`;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return undefined;
}

async function findPython(): Promise<string | undefined> {
  for (const interpreter of interpreters) {
    const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
    const found = await run(interpreter, ['-c', check], { timeout: interpreterTimeoutMs }).then(
      () => true,
      () => false,
    );
    if (found) return interpreter;
  }
  return undefined;
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? message;
}
