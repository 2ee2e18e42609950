import { expect, test } from 'vitest';
import {
  chartManifests,
  describeWithTools,
  everythingOn,
  faultsOf,
  type Manifest,
  renderChart,
} from './support/deployment/deploy-tools.ts';
import { partFolders } from './support/deployment/part-settings.ts';

const parts = Object.keys(partFolders);
const ofKind = (values: object, kind: string) =>
  chartManifests(values).filter((manifest) => manifest.kind === kind);
const partOf = ({ metadata }: Manifest) => metadata.labels['app.kubernetes.io/component'] ?? '';

/** The pods' specification of each part. */
const podsOf = (values: object) =>
  new Map(ofKind(values, 'Deployment').map((one) => [partOf(one), one.spec.template.spec]));
/** The variables of a part. */
const variablesOf = (values: object, part: string): Record<string, unknown> =>
  Object.fromEntries(
    podsOf(values)
      .get(part)
      .containers[0].env.map(({ name, value, valueFrom }: Record<string, string>) => [
        name,
        value ?? valueFrom,
      ]),
  );

describeWithTools('the chart', ['definitions', 'helm', 'python'], () => {
  test('makes nothing that a cluster may lack unless it is switched on', () => {
    const kinds = new Set(chartManifests({}).map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([
      'Deployment',
      'NetworkPolicy',
      'Pod',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
  });

  test('is checked against definitions that find a misspelt member of a custom resource', () => {
    const [monitor] = ofKind(everythingOn, 'ServiceMonitor');
    if (monitor === undefined) throw new Error('there is no ServiceMonitor');
    monitor.spec.endpoints[0].intervall = '30s';
    expect(faultsOf([monitor], 'custom')).toContain('intervall');
  });

  test('has the port of metrics in the Service of every part, where its ServiceMonitor looks for it', () => {
    const services = ofKind(everythingOn, 'Service');
    expect(services.map(partOf).toSorted()).toEqual(parts.toSorted());
    const [monitor] = ofKind(everythingOn, 'ServiceMonitor');
    const { selector, endpoints, jobLabel } = monitor?.spec ?? {};
    for (const { metadata, spec } of services) {
      expect(spec.ports).toContainEqual(
        expect.objectContaining({ name: endpoints[0].port, port: 9090, targetPort: 'metrics' }),
      );
      expect(metadata.labels).toMatchObject(selector.matchLabels);
      expect(metadata.labels[jobLabel]).toBe('team-memory-service');
    }
    expect(monitor?.metadata.labels).toMatchObject({ release: 'prometheus' });
  });

  test('has the alert rules and the Grafana page', () => {
    const [rule] = ofKind(everythingOn, 'PrometheusRule');
    expect(rule?.spec.groups.length).toBeGreaterThan(0);
    const [page] = chartManifests(everythingOn).filter(({ kind }) => kind === 'ConfigMap');
    expect(page?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    const { data = {} } = page ?? {};
    expect(JSON.parse(data['team-memory.json'] ?? '').panels.length).toBeGreaterThan(0);
  });

  test('publishes the API, and nothing but the API, by Ingress and by HTTPRoute', () => {
    const [ingress] = ofKind(everythingOn, 'Ingress');
    const backend = { service: { name: 'memory-gateway', port: { name: 'http' } } };
    expect(ingress?.spec.rules).toEqual(
      everythingOn.ingress.hosts.map((host) => ({
        host,
        http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
      })),
    );
    expect(ingress?.spec).toMatchObject({ ingressClassName: 'nginx', tls: everythingOn.ingress.tls });
    const [route] = ofKind(everythingOn, 'HTTPRoute');
    expect(route?.spec).toMatchObject({
      parentRefs: everythingOn.httpRoute.parentRefs,
      hostnames: everythingOn.httpRoute.hostnames,
      rules: [{ timeouts: { request: '0s' }, backendRefs: [{ name: 'memory-gateway', port: 8080 }] }],
    });
  });

  test('lets agents use /mcp by every published name, unless the gateway lists them itself', () => {
    expect(variablesOf(everythingOn, 'gateway').MCP_HOSTS).toBe('memory.example.com,memory.example.org');
    const own = { ...everythingOn, gateway: { settings: { MCP_HOSTS: 'agents.example.com' } } };
    expect(variablesOf(own, 'gateway').MCP_HOSTS).toBe('agents.example.com');
    for (const part of parts) expect(variablesOf({}, part)).not.toHaveProperty('MCP_HOSTS');
  });

  test('runs the image by its digest where it has one, else by its tag', () => {
    const imageOf = (image: object) => podsOf({ image }).get('content').containers[0].image;
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(imageOf({ digest, tag: '1.2.3' })).toBe(`team-memory-service@${digest}`);
    expect(imageOf({ tag: '1.2.3' })).toBe('team-memory-service:1.2.3');
  });

  test('makes a pod of programs of the image for `helm test`, which asks for a key only where there is one', () => {
    const commandsOf = (values: object) =>
      ofKind(values, 'Pod').map(({ metadata, spec }) => {
        expect(metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' });
        return spec.containers.map(({ command }: { command: string[] }) => command);
      });
    const ready = ['node', 'deploy/health-check.ts', 'memory-gateway', '8080'];
    expect(commandsOf({})).toEqual([[ready]]);
    const search = ['tms', 'search', '--prefix', 'no-such-folder/', 'installation'];
    expect(commandsOf({ test: { team: 'rivers', key: { name: 'key' } } })).toEqual([[ready, search]]);
  });

  test('leaves the choice of user and groups to the cluster where they are null', () => {
    const chosen = { runAsUser: null, runAsGroup: null, fsGroup: null };
    for (const [part, pod] of podsOf({ podSecurityContext: chosen })) {
      expect(pod.securityContext, part).toEqual({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
    expect(podsOf({}).get('auth').securityContext).toMatchObject({
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
    });
  });

  test('makes every part trust private authorities', () => {
    const values = { privateAuthorities: { configMapName: 'authorities', key: 'root.pem' } };
    for (const [part, { containers, volumes }] of podsOf(values)) {
      const file = String(variablesOf(values, part).NODE_EXTRA_CA_CERTS);
      const mount = containers[0].volumeMounts.find(({ mountPath }: { mountPath: string }) =>
        file.startsWith(`${mountPath}/`),
      );
      const volume = volumes.find(({ name }: { name: string }) => name === mount.name);
      const path = file.slice(mount.mountPath.length + 1);
      expect(volume.configMap).toEqual({ name: 'authorities', items: [{ key: 'root.pem', path }] });
    }
  });

  test('gives variables, volumes and mounts to all pods, and further ones to those of one part', () => {
    const pods = podsOf(everythingOn);
    const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);
    expect(namesOf(pods.get('auth').volumes)).toEqual(['secrets', 'private-authorities', 'scratch']);
    // Its own beside that of whoever installs it.
    expect(namesOf(pods.get('query').volumes).toSorted()).toEqual(
      [...namesOf(pods.get('auth').volumes), 'search-indexes', 'certificates'].toSorted(),
    );
    for (const { containers, volumes } of pods.values()) {
      expect(namesOf(containers[0].volumeMounts)).toEqual(namesOf(volumes));
    }
    expect(variablesOf(everythingOn, 'auth')).toHaveProperty('NODE_OPTIONS');
    expect(variablesOf(everythingOn, 'auth')).not.toHaveProperty('TZ');
    expect(variablesOf(everythingOn, 'gateway')).toMatchObject({ TZ: { fieldRef: expect.anything() } });
  });

  test('places pods as all are placed, unless their part says otherwise', () => {
    const pods = podsOf(everythingOn);
    const { affinity, nodeSelector, tolerations } = everythingOn;
    expect(pods.get('auth')).toMatchObject({
      priorityClassName: 'normal',
      affinity,
      nodeSelector,
      tolerations,
    });
    expect(pods.get('gateway')).toMatchObject({ priorityClassName: 'high', affinity });
    expect(pods.get('query')).toMatchObject({
      priorityClassName: 'normal',
      nodeSelector: { disk: 'faster' },
    });
    expect(pods.get('query').tolerations).toEqual(everythingOn.query.tolerations);
  });

  test('scales a part by what its own container computes, and by further metrics', () => {
    const [scaler, ...others] = ofKind(everythingOn, 'HorizontalPodAutoscaler');
    expect(others).toEqual([]);
    expect(scaler?.spec.metrics[0]).toEqual({
      type: 'ContainerResource',
      containerResource: {
        container: 'gateway',
        name: 'cpu',
        target: { type: 'AverageValue', averageValue: '700m' },
      },
    });
    expect(scaler?.spec.metrics[1]).toEqual(everythingOn.gateway.autoscaling.metrics[0]);
    expect(scaler?.spec.behavior).toEqual(everythingOn.gateway.autoscaling.behavior);
    const [deployment] = ofKind(everythingOn, 'Deployment').filter((one) => partOf(one) === 'gateway');
    expect(deployment?.spec).not.toHaveProperty('replicas');
  });

  test.for([
    ['an Ingress without a name', { ingress: { enabled: true } }],
    ['a route without a Gateway', { httpRoute: { enabled: true } }],
    ['a name with a path', { ingress: { enabled: true, hosts: ['memory.example.com/api'] } }],
    ['a digest cut short', { image: { digest: 'sha256:abc' } }],
    ['root', { podSecurityContext: { runAsUser: 0 } }],
    ['a secret beside the secrets', { extraEnv: [{ name: 'MONGODB_URL_FILE', value: '/etc/url' }] }],
    ['the secret of a client in plain text', { gateway: { settings: { OIDC_CLIENT_SECRET: 'x' } } }],
    ['a key to test with and no team', { test: { key: { name: 'key' } } }],
    ['CPU in words', { auth: { autoscaling: { targetCpu: 'half' } } }],
  ] as const)('refuses %s', ([, values]) => {
    expect(renderChart(values).errors).toContain("values don't meet the specifications of the schema");
  });
});
