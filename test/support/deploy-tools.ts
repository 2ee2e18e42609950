import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

const repository = join(import.meta.dirname, '..', '..');
/** Where scripts/install-deploy-tools.ts puts them. */
const folder = join(repository, '.servers', 'deploy-tools');
/** A tool needs a second; a loaded machine several times that. */
const toolTimeoutMs = 60_000;

const programs = {
  /** Loads Compose files as `docker compose` does. */
  compose: join(folder, 'compose'),
  hadolint: join(folder, 'python', 'bin', 'hadolint'),
  helm: join(folder, 'python', 'bin', 'helm'),
  'kubernetes-validate': join(folder, 'python', 'bin', 'kubernetes-validate'),
  /** With PyYAML, which kubernetes-validate brings. */
  python: join(folder, 'python', 'bin', 'python'),
} as const;

type Tool = keyof typeof programs;

/** Declares tests that need tools; where one is not installed they are skipped, and the suite's name says so. */
export function describeWithTools(name: string, tools: Tool[], declareTests: () => void): void {
  const missing = tools.filter((tool) => !existsSync(programs[tool]));
  if (missing.length === 0) describe(name, declareTests);
  else {
    const reason = `no ${missing.join(', ')}: run scripts/install-deploy-tools.ts`;
    describe.skip(`${name} (skipped: ${reason})`, declareTests);
  }
}

/** Runs a tool from the repository's root to its end. */
export function runTool(
  tool: Tool,
  args: string[],
  input = '',
): { code: number | null; output: string; errors: string } {
  const run = spawnSync(programs[tool], args, {
    cwd: repository,
    encoding: 'utf8',
    input,
    timeout: toolTimeoutMs,
    // Only what a shell would have: no setting of this machine may change what a file means.
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    maxBuffer: 16 * 1024 * 1024,
  });
  if (run.error !== undefined) throw run.error;
  return { code: run.status, output: run.stdout, errors: run.stderr };
}
