// `npm run test:cluster`: installs the chart into a real API server, without kubelets. Needs Go 1.26 and Python 3.10 with
// venv: the first run builds Kubernetes, kwok and etcd from the Go module proxy.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildClusterTools } from './tools.ts';

const repository = join(import.meta.dirname, '..', '..');

/** Runs a program of Node; ends with its exit code unless that is 0. */
function run(...parameters: string[]): void {
  const { status } = spawnSync(process.execPath, parameters, { cwd: repository, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('scripts/install-deploy-tools.ts');
buildClusterTools();
run(
  'node_modules/vitest/vitest.mjs',
  'run',
  ...['--config', join(import.meta.dirname, 'vitest.config.ts'), ...process.argv.slice(2)],
);
