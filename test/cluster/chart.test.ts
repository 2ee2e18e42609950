import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { deployTool, everythingOn } from '../support/deployment/deploy-tools.ts';
import { extractLastRelease, lastVersion, noLastRelease } from '../support/deployment/last-release.ts';
import { runToEnd } from '../support/service/run-program.ts';
import { startService } from '../support/service/running-service.ts';
import { type Admitted, type Cluster, startCluster } from './cluster.ts';
import { letsConnect } from './policies.ts';
import { chart, newRelease, partOf, patience } from './release.ts';

const parts = ['analytics', 'auth', 'content', 'gateway', 'query'];
const backup = { enabled: true, storageClassName: 'slow' };
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.kubectl('apply', '--server-side', `--filename=${deployTool('definitions')}`);
  await cluster.kubectl('wait', 'customresourcedefinitions', '--all', '--for=condition=Established');
  await cluster.apply(...storage, ...['normal', 'high'].map(priorityClass));
});
afterAll(() => cluster?.stop());

describe('the chart in a cluster', () => {
  test.for([
    ['its own values', {}],
    [
      'certificates and secrets of other names',
      {
        tls: { secretName: 'memory-parts' },
        secrets: { MONGODB_URL: { name: 'mongodb', key: 'address' }, TMS_ADMIN_TOKEN: { name: '' } },
        privateAuthorities: { configMapName: 'company-authorities' },
      },
    ],
    [
      'users that the cluster chooses',
      { podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } },
    ],
    ['no network policies', { networkPolicy: { enabled: false } }],
    ['an Ingress', { ingress: everythingOn.ingress }],
    ['indexes on volumes', { indexVolume: everythingOn.indexVolume }],
    ['everything switched on', everythingOn],
  ] as const)(
    'runs every pod under the restricted standard with %s, and the same values again change nothing',
    async ([, values]) => {
      const release = await newRelease(cluster);
      await release.install(values);
      const pods = await release.pods();
      expect(pods.map(partOf).toSorted()).toEqual(parts.flatMap((part) => [part, part]));
      for (const { metadata, status } of pods) expect(status.phase, metadata.name).toBe('Running');

      const before = await release.wanted();
      await release.upgrade(values);
      expect(await release.wanted()).toEqual(before);
      // Nor would a tool see a difference that compares the chart with what the API server made of it.
      const manifest = cluster.file(await release.helm('get manifest'));
      await release.kubectl('diff', ...['--server-side', '--force-conflicts'], `--filename=${manifest}`);
      await release.helm('uninstall', '--wait');
    },
  );

  test('fits into a namespace whose quota counts pods, requests, limits of memory and claims, with its test and a backup', async () => {
    const release = await newRelease(cluster);
    await cluster.apply(
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'all', namespace: release.namespace },
        spec: {
          hard: {
            pods: '20',
            'requests.cpu': '4',
            'requests.memory': '8Gi',
            'limits.memory': '24Gi',
            persistentvolumeclaims: '1',
            'requests.storage': '10Gi',
          },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'containers', namespace: release.namespace },
        spec: {
          limits: [{ type: 'Container', max: { memory: '2Gi' }, min: { cpu: '50m', memory: '64Mi' } }],
        },
      },
    );
    await release.install();
    await release.upgrade({
      backup,
      podAnnotations: { again: '1' },
    });
    await release.backUp();
    expect(await release.test(async () => true)).toMatchObject({ code: 0 });
  });

  test('lets a drained node take one pod of each part at a time', async () => {
    const release = await newRelease(cluster);
    await release.install();
    const areCounted = async () => {
      const all = await release.list('poddisruptionbudgets');
      return all.every(({ status }) => status?.currentHealthy === 2) && all;
    };
    const budgets = await eventually('the budgets are counted', areCounted, patience);
    expect(budgets.map(partOf)).toEqual(parts);
    for (const { status } of budgets)
      expect(status).toMatchObject({ expectedPods: 2, disruptionsAllowed: 1 });
  });

  test('keeps the pods that run when autoscaling is switched on, and when it is upgraded then', async () => {
    const release = await newRelease(cluster);
    await release.install({ content: { replicas: 4 } });
    const generations = async () =>
      (await release.list('deployments'))
        .filter((one) => partOf(one) === 'content')
        .map(({ metadata, spec }) => ({ uid: metadata.uid, replicas: spec.replicas }));
    const [before] = await generations();
    const content = { autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 6 } };
    await release.upgrade({ content });
    expect(await generations()).toEqual([before]);
    await release.kubectl('scale', 'deployment/memory-content', '--replicas=5');
    await release.upgrade({ content, podAnnotations: { again: '1' } });
    expect(await generations()).toEqual([{ uid: before?.uid, replicas: 5 }]);
  });

  test('makes a backup by its CronJob, into a claim that is there after the release and is taken again', async () => {
    const release = await newRelease(cluster);
    const values = { backup };
    await release.install(values);
    await release.backUp();
    const [claim] = await release.claims();
    expect(claim?.name).toBe('memory-backups');
    const [pod] = (await release.pods()).filter((one) => partOf(one) === 'backup');
    expect(pod?.spec.volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'memory-backups' },
    });
    const isThere = async () => expect((await release.claims()).map(({ uid }) => uid)).toEqual([claim?.uid]);

    await release.upgrade({});
    await isThere();
    await release.upgrade(values);
    await isThere();
    await release.helm('uninstall', '--wait');
    await isThere();
    expect(Object.keys(await release.wanted())).toEqual(['PersistentVolumeClaim memory-backups']);
    await release.install(values);
    await isThere();
  });

  test('binds the volume of backups with the first one where the class of storage waits for it', async () => {
    const release = await newRelease(cluster);
    await release.helm('install', chart, '--set=backup.enabled=true');
    await release.kubectl('rollout', 'status', 'deployment/memory-gateway');
    await release.backUp();
    const [claim] = await release.list('persistentvolumeclaims');
    expect(claim?.status.phase).toBe('Bound');
  });

  test('writes backups into a claim that was there before', async () => {
    const release = await newRelease(cluster);
    const resources = { requests: { storage: '1Gi' } };
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'mine', namespace: release.namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources },
    });
    await release.install({ backup: { enabled: true, existingClaim: 'mine' } });
    await release.backUp();
    expect((await release.claims()).map(({ name }) => name)).toEqual(['mine']);
  });

  test.skipIf(noLastRelease !== undefined)(
    `upgrades ${lastVersion} in place, goes back to it and forth again, and loses no claim`,
    async () => {
      const old = await temporaryDirectory();
      onTestFinished(old.remove);
      extractLastRelease(chart, old.path);
      const release = await newRelease(cluster);
      const own = cluster.file({ content: { replicas: 3 }, networkPolicy: { clients: [] } });
      await release.helm('install', join(old.path, chart), '--wait', `--values=${own}`);
      const before = await release.wanted();
      const deployments = async () =>
        (await release.list('deployments')).map(({ metadata, spec }) => [
          metadata.uid,
          spec.replicas,
          spec.selector,
        ]);
      const was = await deployments();

      const toNew = async (...more: string[]) => {
        const keepValues = ['--reset-then-reuse-values', '--set=backup.enabled=true'];
        await release.helm('upgrade', chart, ...keepValues, ...more);
        await release.kubectl('rollout', 'status', 'deployment');
      };
      await toNew();
      expect(await deployments()).toEqual(was);
      await release.backUp();
      const claims = await release.claims();
      expect(claims).toHaveLength(1);

      await release.helm('rollback', '1', '--wait');
      const back = await release.wanted();
      for (const name of Object.keys(before).filter((each) => !each.startsWith('ReplicaSet')))
        expect(back[name], name).toMatchObject({ spec: (before[name] as Admitted).spec });
      expect(await release.claims()).toEqual(claims);
      await toNew('--wait');
      expect(await deployments()).toEqual(was);
      expect((await release.claims()).map(({ uid }) => uid)).toEqual(claims.map(({ uid }) => uid));
    },
  );

  test('lets named namespaces use the RPC port, clients the API, and each part only those that it calls', async () => {
    const release = await newRelease(cluster);
    const others = [await newRelease(cluster), await newRelease(cluster), await newRelease(cluster)];
    const [platform = '', ingress = '', stranger = ''] = others.map(({ namespace }) => namespace);
    const named = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ingress } } };
    const networkPolicy = { rpcNamespaces: [platform], clients: [named] };
    await release.install({ networkPolicy, backup });
    await release.backUp();
    const pods = await release.pods();
    await release.test(async (pod) => {
      pods.push(pod);
      return true;
    });
    const elsewhere = [platform, ingress, stranger].map((name) => ({
      metadata: { namespace: name, labels: {} },
    }));
    const objects = {
      policies: await release.list('networkpolicies'),
      namespaces: JSON.parse(await cluster.kubectl('get', 'namespaces', '--output=json')).items,
    };
    const callersOf = (part: string, port: number) => {
      const [called] = pods.filter((pod) => partOf(pod) === part);
      const callers = [...pods, ...elsewhere].filter((pod) => letsConnect(objects, pod, called, port));
      return new Set(callers.map((pod) => partOf(pod) ?? pod.metadata.namespace));
    };
    expect(callersOf('gateway', 7100)).toEqual(new Set([platform, 'backup']));
    expect(callersOf('gateway', 8080)).toEqual(new Set([ingress, 'test']));
    expect(callersOf('auth', 8080)).toEqual(new Set(['analytics', 'content', 'gateway']));
    expect(callersOf('content', 8080)).toEqual(new Set(['gateway', 'query']));
    expect(callersOf('query', 8080)).toEqual(new Set(['gateway']));
    for (const part of ['backup', 'test']) expect(callersOf(part, 8080)).toEqual(new Set());
  });

  test('tells by `helm test` whether the installation can be used, by what its pod runs', async () => {
    const service = await startService();
    onTestFinished(() => service.remove());
    const { slug, readKey } = await service.createTeam();
    const release = await newRelease(cluster);
    await release.install({ test: { team: slug, key: { name: 'key-of-helm', key: 'key' } } });
    const runPod = (key: string) => async (pod: Admitted) => {
      const ended = await Promise.all(pod.spec.containers.map(runContainer(new URL(service.url), key)));
      return ended.every(({ code }) => code === 0);
    };
    expect(await release.test(runPod(readKey))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Phase:          Succeeded'),
    });
    const leftOver = async () => (await release.pods()).filter((one) => partOf(one) === 'test');
    expect(await leftOver()).toEqual([]);
    expect(await release.test(runPod('tms_unknown'))).toMatchObject({ code: 1 });
    expect(await leftOver()).toHaveLength(1);
    await service.end();
    expect(await release.test(runPod(readKey))).toMatchObject({ code: 1 });
  });
});

/** Runs what a container of the test's pod runs, against a service of this machine in the place of that of the cluster. */
function runContainer({ hostname, port }: URL, key: string) {
  const programs: Record<string, string[]> = { node: [], tms: ['libs/cli/src/main.ts'] };
  const here = (text: string) => text.replace('memory-gateway', hostname).replace('8080', port);
  return ({ command: [program, ...parameters], env = [] }: Admitted) => {
    const set = env.map(({ name, value, valueFrom }: Admitted) => {
      if (valueFrom !== undefined)
        expect(valueFrom).toEqual({ secretKeyRef: { name: 'key-of-helm', key: 'key' } });
      return [name, here(value ?? key)];
    });
    const words = [...(programs[program] ?? []), ...parameters.map(here)];
    return runToEnd(process.execPath, words, { PATH: process.env.PATH ?? '', ...Object.fromEntries(set) });
  };
}

const priorityClass = (name: string) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value: 1000,
});

/** Classes of storage that bind at the first use, which is the default, and at once; nothing makes volumes, so they are there. */
const storage = [
  { name: 'standard', mode: 'WaitForFirstConsumer', isDefault: 'true' },
  { name: 'slow', mode: 'Immediate', isDefault: 'false' },
].flatMap(({ name, mode, isDefault }) => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: mode,
  },
  ...Array.from({ length: 20 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${name}-${index}` },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: name,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/nowhere' },
    },
  })),
]);
