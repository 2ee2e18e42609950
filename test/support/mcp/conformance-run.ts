import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';

const run = promisify(execFile);
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const program = join(dirname(manifest), 'dist', 'index.js');
/** All scenarios together take a few seconds; on a busy machine several times that. */
const timeoutMs = 110_000;

/** What a scenario found out: `passed` is false if a check failed or none succeeded. */
export interface ScenarioResult {
  passed: boolean;
  /** What failed, one line for each check. */
  failures: string[];
}

/** Returns the names of all scenarios for servers that the package has. */
export async function serverScenarios(): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, 'list', '--server'], { timeout: timeoutMs });
  return [...stdout.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name ?? '');
}

/** Runs all scenarios against a server that asks for no headers of its own. */
export async function runServerScenarios(url: string): Promise<Map<string, ScenarioResult>> {
  const results = await temporaryDirectory();
  try {
    const options = ['server', '--url', url, '--suite', 'all', '-o', results.path];
    // It ends with 1 where a scenario fails; what failed is in the files.
    await run(process.execPath, [program, ...options], { timeout: timeoutMs, cwd: results.path }).catch(
      ({ code, killed, message }) => {
        if (code !== 1 || killed) throw new Error(message);
      },
    );
    return await readResults(results.path);
  } finally {
    await results.remove();
  }
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

async function readResults(folder: string): Promise<Map<string, ScenarioResult>> {
  const results = new Map<string, ScenarioResult>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks: Check[] = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'));
    const failures = checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
    const succeeded = checks.some(({ status }) => status === 'SUCCESS');
    results.set(scenario, { passed: failures.length === 0 && succeeded, failures });
  }
  return results;
}
