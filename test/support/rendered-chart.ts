import { runTool } from './deploy-tools.ts';

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
