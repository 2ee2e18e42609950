import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

const repository = join(import.meta.dirname, '..', '..', '..');
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

/** Of a manifest, what the tests look at. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes are checked by their own tool.
  spec: any;
}

/** The newest release of Kubernetes that the schemas at hand know, and the oldest that the chart asks for. */
export const kubernetesVersions = ['1.37.0', '1.30.0'] as const;

/** Values beside the defaults that switch on everything that is off, and fill every list. */
export const everythingOn = {
  image: { tag: '1.2.3', pullSecrets: [{ name: 'registry' }] },
  secrets: { OPENAI_API_KEY: { name: 'model', key: 'key' } },
  tls: { secretName: 'tls' },
  gateway: { autoscaling: { enabled: true }, settings: { MAX_BODY_BYTES: '1048576' } },
  query: { extraEgress: [{ ports: [{ port: 443, protocol: 'TCP' }] }] },
  networkPolicy: {
    clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    rpcClients: [{ podSelector: { matchLabels: { name: 'platform' } } }],
    mongodb: { to: [{ ipBlock: { cidr: '192.0.2.0/24' } }], port: 27017 },
  },
  podAnnotations: { note: 'x' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
};

const chart = ['memory', 'deploy/helm', '--kube-version', kubernetesVersions[0], '--values', '-'];

/** Renders the chart with values beside its own; `errors` is why it refused them. */
export function renderChart(values: object): { text: string; errors: string } {
  const { code, output, errors } = runTool('helm', ['template', ...chart], JSON.stringify(values));
  return { text: output, errors: code === 0 ? '' : errors };
}

/** The manifests that the chart makes. */
export function chartManifests(values: object): Manifest[] {
  const toJson = 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)';
  const { text, errors } = renderChart(values);
  if (errors !== '') throw new Error(errors);
  return JSON.parse(runTool('python', ['-c', toJson], text).output);
}
