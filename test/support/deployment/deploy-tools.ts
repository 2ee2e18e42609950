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
  /** A folder: the definitions of custom resources. */
  definitions: join(folder, 'definitions'),
  hadolint: join(folder, 'python', 'bin', 'hadolint'),
  helm: join(folder, 'python', 'bin', 'helm'),
  'kubernetes-validate': join(folder, 'python', 'bin', 'kubernetes-validate'),
  /** With PyYAML, which kubernetes-validate brings. */
  python: join(folder, 'python', 'bin', 'python'),
} as const;

type Tool = keyof typeof programs;

/** Declares tests that need tools; where one is not installed they are skipped, and the suite's name says so. */
export function describeWithTools(name: string, tools: Tool[], declareTests: () => void): void {
  const missing = tools.filter((tool) => !toolExists(tool));
  if (missing.length === 0) describe(name, declareTests);
  else {
    const reason = `no ${missing.join(', ')}: run scripts/install-deploy-tools.ts`;
    describe.skip(`${name} (skipped: ${reason})`, declareTests);
  }
}

/** Whether a tool is installed. */
export function toolExists(tool: Tool): boolean {
  return existsSync(programs[tool]);
}

/** The path of a tool, for those who run it themselves. */
export function deployTool(tool: Tool): string {
  return programs[tool];
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
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes are checked by their own tool.
  spec: any;
  /** Of a ConfigMap. */
  data?: Record<string, string>;
}

/** The newest release of Kubernetes that the schemas at hand know, and the oldest that the chart asks for. */
export const kubernetesVersions = ['1.37.0', '1.30.0'] as const;

/** Values beside the defaults that switch on everything that is off, and fill every list. */
export const everythingOn = {
  image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
  secrets: {
    OPENAI_API_KEY: { name: 'model', key: 'key' },
    OIDC_CLIENT_SECRET: { name: 'identity', key: 'secret' },
  },
  tls: { secretName: 'tls' },
  privateAuthorities: { configMapName: 'company-authorities' },
  gateway: {
    autoscaling: {
      enabled: true,
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: 'calls' }, target: { type: 'AverageValue', averageValue: '50' } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
    settings: { MAX_BODY_BYTES: '1048576' },
    extraEnv: [{ name: 'TZ', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    priorityClassName: 'high',
  },
  query: {
    extraEgress: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
    extraVolumes: [{ name: 'certificates', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'certificates', mountPath: '/certificates' }],
    nodeSelector: { disk: 'faster' },
    tolerations: [{ key: 'fast', operator: 'Exists' }],
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '8m' },
    hosts: ['memory.example.com', '*.memory.example.com'],
    tls: [{ secretName: 'memory-tls', hosts: ['memory.example.com'] }],
  },
  httpRoute: {
    enabled: true,
    annotations: { note: 'x' },
    parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['memory.example.com', 'memory.example.org'],
    timeouts: { request: '0s' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  grafanaDashboard: { enabled: true, annotations: { grafana_folder: 'Services' } },
  indexVolume: {
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
      },
    },
  },
  backup: { enabled: true, storageClassName: 'slow' },
  networkPolicy: {
    clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    rpcNamespaces: ['platform', 'tools'],
    rpcClients: [{ podSelector: { matchLabels: { name: 'platform' } } }],
    mongodb: { to: [{ ipBlock: { cidr: '192.0.2.0/24' } }], port: 27017 },
  },
  podAnnotations: { note: 'x' },
  podLabels: { 'cost-center': '7' },
  extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=300' }],
  extraVolumes: [{ name: 'scratch', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
  priorityClassName: 'normal',
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
};

const chart = ['memory', 'deploy/helm', '--kube-version', kubernetesVersions[0], '--values', '-'];

/** Renders the chart with values beside its own; `errors` is why it refused them. */
export function renderChart(values: object): { text: string; errors: string } {
  const { code, output, errors } = runTool('helm', ['template', ...chart], JSON.stringify(values));
  return { text: output, errors: code === 0 ? '' : errors };
}

/** The documents of a YAML file. */
export function readYaml(text: string): unknown[] {
  const toJson = 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)';
  return JSON.parse(runTool('python', ['-c', toJson], text).output);
}

/** The manifests that the chart makes. */
export function chartManifests(values: object): Manifest[] {
  const { text, errors } = renderChart(values);
  if (errors !== '') throw new Error(errors);
  return readYaml(text) as Manifest[];
}

/** Faults of manifests against the schemas of one release of Kubernetes, or against the definitions of custom resources. */
export function faultsOf(manifests: Manifest[], version: string | 'custom'): string {
  const text = manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n');
  if (version !== 'custom') {
    const { code, output, errors } = runTool('kubernetes-validate', ['-k', version, '--strict', '-'], text);
    return code === 0 ? '' : output + errors;
  }
  const program = join(import.meta.dirname, 'validate-custom-resources.py');
  const { output, errors } = runTool('python', [program, programs.definitions], text);
  return output + errors;
}

/** Whether a kind is not part of Kubernetes: its group has a domain of its own. */
export function isCustom({ apiVersion }: Manifest): boolean {
  return /^(gateway\.networking\.k8s\.io|monitoring\.coreos\.com)\//.test(apiVersion);
}
