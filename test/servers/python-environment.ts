import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Python interpreters to look for, the machine's default first; what is installed needs 3.10. */
const interpreters = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** An interpreter answers in far less; one that asks or hangs must not hold the tests. */
const interpreterTimeoutMs = 10_000;
/** About 50 MB of wheels on a slow line. */
const installTimeoutMs = 240_000;

const folder = join(import.meta.dirname, '..', '..', '.servers');

/** The interpreter of a virtual environment and the folder of its programs, or why there is none. */
export type PythonEnvironment = { python: string; bin: string } | { reason: string };

/**
 * Installs packages from PyPI into the virtual environment `name` below
 * `.servers/`, once; does nothing when it is there. `purpose` is what the run
 * prints: what for.
 */
export async function preparePythonEnvironment(options: {
  /** With the version, so that another one is another environment. */
  name: string;
  /** As pip takes them, pinned. */
  packages: readonly string[];
  purpose: string;
}): Promise<PythonEnvironment> {
  const home = join(folder, options.name);
  if (!existsSync(home)) {
    const reason = await install(home, options);
    if (reason !== undefined) return { reason };
  }
  const bin = binOf(home);
  return { python: join(bin, 'python'), bin };
}

async function install(
  home: string,
  { name, packages, purpose }: { name: string; packages: readonly string[]; purpose: string },
): Promise<string | undefined> {
  const python = await findPython();
  if (python === undefined) return 'no Python 3.10 or later';
  process.stderr.write(`Preparing ${name} below .servers/, once, for ${purpose}.\n`);
  // Made aside and renamed when complete: an interrupted installation is never taken for a good one, and of
  // two test runs that prepare at once one wins.
  const draft = join(folder, `draft-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await run(python, ['-m', 'venv', draft], { timeout: installTimeoutMs });
    const pip = ['-m', 'pip', 'install', '--quiet', ...packages];
    await run(join(binOf(draft), 'python'), pip, { timeout: installTimeoutMs });
    await rename(draft, home);
  } catch (error) {
    if (!existsSync(home)) return `${name} could not be installed: ${lastLine(error)}`;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return undefined;
}

function binOf(home: string): string {
  return join(home, process.platform === 'win32' ? 'Scripts' : 'bin');
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
