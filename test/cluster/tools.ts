import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const servers = join(import.meta.dirname, '..', '..', '.servers');
const version = '1.36.3';
const kubernetes = `k8s.io/kubernetes@v${version}`;
const kwok = 'sigs.k8s.io/kwok@v0.8.0';
/** How nodes and pods come up and end, of its module. */
const stages = [
  ...['node/fast/node-initialize', 'node/heartbeat-with-lease/node-heartbeat-with-lease'],
  ...['pod/fast/pod-ready', 'pod/fast/pod-complete', 'pod/fast/pod-delete'],
];
const programs = [
  'k8s.io/kubernetes/cmd/kube-apiserver',
  'k8s.io/kubernetes/cmd/kube-controller-manager',
  'k8s.io/kubernetes/cmd/kube-scheduler',
  'k8s.io/kubernetes/cmd/kubectl',
  'sigs.k8s.io/kwok/cmd/kwok',
  'go.etcd.io/etcd/server/v3',
];

/** The folder with the programs of Kubernetes, kwok and etcd, and the stages of kwok. */
export const clusterTools = join(servers, `kubernetes-${version}`);

/** Builds them from the Go module proxy, once; needs Go 1.26. @throws Error where that fails. */
export function buildClusterTools(): void {
  if (existsSync(clusterTools)) return;
  const draft = `${clusterTools}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const download = (module: string) =>
    JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd: draft, encoding: 'utf8' }));
  // The module lacks its own parts, which are published as modules of their own, as v0.36.3 of Kubernetes 1.36.3.
  const parts = readFileSync(download(kubernetes).GoMod, 'utf8').matchAll(/^\t(\S+) => \.\/staging\//gm);
  const replacements = [...parts].map(([, part]) => `replace ${part} => ${part} v0${version.slice(1)}\n`);
  const required = [kubernetes, kwok, 'go.etcd.io/etcd/server/v3@v3.6.8'];
  const requirements = required.map((one) => `require ${one.replace('@', ' ')}\n`);
  writeFileSync(
    join(draft, 'go.mod'),
    `module cluster\n\ngo 1.26.0\n\n${[...requirements, ...replacements].join('')}`,
  );
  // Not optimised and without C: compiling takes longer than the programs ever run.
  const linked = `-s -w -X k8s.io/component-base/version.gitVersion=v${version}`;
  const options = ['-mod=mod', `-ldflags=${linked}`, '-gcflags=all=-N -l'];
  execFileSync('go', ['build', ...options, '-o', 'bin/', ...programs], {
    cwd: draft,
    stdio: 'inherit',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  const texts = stages.map((stage) =>
    readFileSync(join(download(kwok).Dir, 'kustomize', 'stage', `${stage}.yaml`), 'utf8'),
  );
  writeFileSync(join(draft, 'bin', 'kwok.yaml'), texts.join('\n---\n'));
  renameSync(join(draft, 'bin', 'server'), join(draft, 'bin', 'etcd'));
  renameSync(join(draft, 'bin'), clusterTools);
  rmSync(draft, { recursive: true });
}
