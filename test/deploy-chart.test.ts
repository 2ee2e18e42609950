import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  chartManifests,
  describeWithTools,
  everythingOn,
  faultsOf,
  isCustom,
  kubernetesVersions,
  type Manifest,
  readYaml,
  renderChart,
  runTool,
} from './support/deployment/deploy-tools.ts';
import { fileOfLastRelease, lastVersion, noLastRelease } from './support/deployment/last-release.ts';
import {
  partFolders,
  requiredSettingsOf,
  settingOf,
  settingsOf,
} from './support/deployment/part-settings.ts';
import { runToEnd } from './support/service/run-program.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const parts = Object.keys(partFolders);
const required = new Map(
  await Promise.all(parts.map(async (part) => [part, await requiredSettingsOf(part)] as const)),
);
const settingsOfPart = (part: string) => settingsOf(partFolders[part] ?? '');

describe('the chart', () => {
  const wirings: Record<string, { calls: string[]; secrets: string[] }> = JSON.parse(
    read('deploy/helm/parts.json'),
  );

  test('runs every part', () => {
    expect(Object.keys(wirings)).toEqual(parts);
    expect(read('deploy/helm/templates/deployment.yaml')).toContain(
      'command: [team-memory-service, {{ $part }}]',
    );
  });

  test.for(parts)(
    'gives %s the addresses and secrets that it needs, and none that it does not know',
    (part) => {
      const { calls = [], secrets = [] } = wirings[part] ?? {};
      const given = [...calls.map((called) => `${called.toUpperCase()}_URL`), ...secrets];
      expect(required.get(part)).not.toEqual([]);
      expect(given).toEqual(expect.arrayContaining(required.get(part) ?? []));
      expect(settingsOfPart(part)).toEqual(expect.arrayContaining(given));
    },
  );

  test('names only settings that a part has', () => {
    const text = read('deploy/helm/values.yaml') + read('deploy/helm/templates/deployment.yaml');
    const names = [...text.matchAll(/(?:^ +|name: )([A-Z][A-Z0-9_]+)[:,]/gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(['LOG_LEVEL', 'RPC_PORT', 'INDEX_DIR']));
    expect(parts.flatMap(settingsOfPart)).toEqual(expect.arrayContaining(names));
  });
});

describeWithTools('the chart, rendered', ['definitions', 'helm', 'kubernetes-validate', 'python'], () => {
  const byPart = (manifests: Manifest[], kind: string) =>
    new Map(
      manifests
        .filter((manifest) => manifest.kind === kind)
        .map((manifest) => [manifest.metadata.labels['app.kubernetes.io/component'] ?? '', manifest.spec]),
    );

  test('has no fault that helm finds', () => {
    const lint = runTool('helm', [
      'lint',
      'deploy/helm',
      '--strict',
      '--kube-version',
      kubernetesVersions[0],
    ]);
    expect(lint).toMatchObject({ code: 0, errors: '' });
  });

  test.for([
    ['its own values', {}],
    ['everything switched on', everythingOn],
    ['no network policy', { networkPolicy: { enabled: false } }],
  ] as const)('makes manifests that Kubernetes knows, with %s', ([, values]) => {
    const manifests = chartManifests(values);
    for (const version of kubernetesVersions) {
      expect(
        faultsOf(
          manifests.filter((manifest) => !isCustom(manifest)),
          version,
        ),
      ).toBe('');
    }
    expect(faultsOf(manifests.filter(isCustom), 'custom')).toBe('');
  });

  test.for([{}, everythingOn])(
    'sets what each part needs and nothing it does not know (%#)',
    async (values) => {
      const deployments = byPart(chartManifests(values), 'Deployment');
      for (const part of parts) {
        const [container] = deployments.get(part).template.spec.containers;
        const names: string[] = container.env.map(({ name }: { name: string }) => settingOf(name));
        const own = names.filter((name) => !/^(NODE_|TZ$)/.test(name));
        expect(settingsOfPart(part)).toEqual(expect.arrayContaining(own));
        expect(names).toEqual(expect.arrayContaining(required.get(part) ?? []));
        expect(new Set(names).size, 'a setting is given once').toBe(names.length);
      }
    },
  );

  test('lets pods do no more than the restricted Pod Security Standard', () => {
    for (const { template } of byPart(chartManifests({}), 'Deployment').values()) {
      const { securityContext, automountServiceAccountToken, containers } = template.spec;
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('lets callers see every pod of a service, on the port of the address that they are given', () => {
    const manifests = chartManifests({});
    const deployments = byPart(manifests, 'Deployment');
    const given = new Map<string, string>(
      [...deployments.values()].flatMap(({ template }) =>
        template.spec.containers[0].env
          .filter(({ name }: { name: string }) => parts.includes(name.replace(/_URL$/, '').toLowerCase()))
          .map(({ name, value }: { name: string; value: string }) => [
            name.replace(/_URL$/, '').toLowerCase(),
            new URL(value).port,
          ]),
      ),
    );
    expect([...given.keys()].toSorted()).toEqual(parts.filter((part) => part !== 'gateway').toSorted());
    for (const [part, port] of given) {
      expect(byPart(manifests, 'Service').get(part)).toMatchObject({ clusterIP: 'None' });
      const [{ ports }] = deployments.get(part).template.spec.containers;
      expect(ports).toContainEqual({ name: 'rpc', containerPort: Number(port) });
    }
  });

  test('lets only callers of a part reach it', () => {
    const policies = byPart(chartManifests({}), 'NetworkPolicy');
    const callers = [...policies].map(([part, { ingress = [] }]) => [
      part,
      ingress
        .filter(({ ports }: { ports: { port: number }[] }) => ports[0]?.port !== 9090)
        .flatMap(({ from = ['everyone'] }) => from)
        .map(
          (peer: Manifest['spec']) => peer.podSelector?.matchLabels['app.kubernetes.io/component'] ?? peer,
        ),
    ]);
    expect(Object.fromEntries(callers)).toEqual({
      analytics: ['gateway'],
      auth: ['analytics', 'content', 'gateway'],
      content: ['gateway', 'query'],
      gateway: ['everyone'],
      query: ['gateway'],
      test: [],
    });
  });

  test('lets named namespaces, the backup and further peers use the RPC port, and nobody else', () => {
    const peersOf = (values: object) =>
      byPart(chartManifests(values), 'NetworkPolicy')
        .get('gateway')
        .ingress.filter(({ ports }: { ports: { port: number }[] }) => ports[0]?.port === 7100)
        .flatMap(({ from }: { from: object[] }) => from);
    expect(peersOf({})).toEqual([]);
    const { networkPolicy, backup } = everythingOn;
    expect(peersOf({ networkPolicy, backup })).toEqual([
      {
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['platform', 'tools'] },
          ],
        },
      },
      { podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'backup' }) } },
      ...networkPolicy.rpcClients,
    ]);
  });

  test('makes no backup unless it is told to, and then one that keeps files and has the token from its file', async () => {
    const kinds = ({ kind }: Manifest) => kind === 'CronJob' || kind === 'PersistentVolumeClaim';
    expect(chartManifests({}).filter(kinds)).toEqual([]);
    const [claim, job] = chartManifests({ backup: { enabled: true, keep: 2 } }).filter(kinds);
    expect(claim?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    const { template } = job?.spec.jobTemplate.spec ?? {};
    const [container] = template.spec.containers;
    expect(container.env).toEqual([{ name: 'TMS_RPC_URL', value: 'http://memory-gateway:7100' }]);
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });

    // The command, with folders of this machine and a `tms` that writes what it was given.
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const tms =
      '#!/bin/sh\n[ "$TMS_ADMIN_TOKEN" = secret ] && [ "$1 $2 $4" = "--quiet backup --verify" ] && echo new >"$3"\n';
    for (const name of ['1', '2', '3'])
      await writeFile(join(path, `2001-01-0${name}T00-00-00Z.backup`), 'old');
    const foreign = ['.mine.backup.partial-1', '2001-01-01.backup', 'mine.backup'];
    for (const name of [...foreign, '.2001-01-04T00-00-00Z.backup.partial-0a1b2c3d'])
      await writeFile(join(path, name), 'part');
    await writeFile(join(path, 'TMS_ADMIN_TOKEN'), 'secret');
    await writeFile(join(path, 'tms'), tms, { mode: 0o755 });
    const [program, flags, script] = container.command;
    const here = script.replaceAll('/etc/team-memory', path).replaceAll('/backups', path);
    const environment = { PATH: `${path}:${process.env.PATH}` };
    expect(await runToEnd(program, [flags, here], environment)).toEqual({ code: 0, stdout: '', stderr: '' });
    const left = async () => (await readdir(path)).filter((name) => name.includes('.backup')).toSorted();
    const kept = [
      ...foreign,
      '2001-01-03T00-00-00Z.backup',
      expect.stringMatching(/^20[2-9]\d-.*Z\.backup$/),
    ];
    expect(new Set(await left())).toEqual(new Set(kept));
    await writeFile(join(path, 'tms'), '#!/bin/sh\nexit 1\n');
    expect(await runToEnd(program, [flags, here], environment)).toMatchObject({ code: 1 });
    expect(await left()).toHaveLength(kept.length);
  });

  test('keeps indexes on the volume that is given for each pod of query', () => {
    const { indexVolume } = everythingOn;
    const volumesOf = (values: object) =>
      byPart(chartManifests(values), 'Deployment')
        .get('query')
        .template.spec.volumes.filter(({ name }: { name: string }) => name === 'search-indexes');
    expect(volumesOf({})).toEqual([{ name: 'search-indexes', emptyDir: {} }]);
    expect(volumesOf({ indexVolume })).toEqual([{ name: 'search-indexes', ...indexVolume }]);
  });

  test.skipIf(noLastRelease !== undefined)(`takes every value of ${lastVersion}`, () => {
    const [values] = readYaml(fileOfLastRelease('deploy/helm/values.yaml')) as [
      { query: { autoscaling: object } },
    ];
    const { query } = values;
    const manifests = chartManifests({
      ...values,
      query: { ...query, autoscaling: { ...query.autoscaling, enabled: true } },
    });
    const { metrics } = byPart(manifests, 'HorizontalPodAutoscaler').get('query');
    expect(metrics[0].containerResource.target).toEqual({ type: 'Utilization', averageUtilization: 70 });
    // As `helm upgrade --reuse-values` leaves them: without what is new.
    expect(chartManifests({ backup: null, indexVolume: null, test: null })).toEqual(chartManifests({}));
  });

  test.for([
    ['a secret in plain text', { query: { settings: { OPENAI_API_KEY: 'sk-1' } } }],
    ['a setting that the chart makes itself', { gateway: { settings: { PORT: '1' } } }],
    ['a number that a template would bend', { gateway: { settings: { MAX_BODY_BYTES: 8388608 } } }],
    ['no secret for MongoDB', { secrets: { MONGODB_URL: { name: '' } } }],
    ['a value that it does not have', { replicas: 3 }],
  ] as const)('refuses %s', ([, values]) => {
    expect(renderChart(values).errors).toContain("values don't meet the specifications of the schema");
  });
});
