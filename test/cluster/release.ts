import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect } from 'vitest';
import type { EndedProgram } from '../support/service/run-program.ts';
import type { Admitted, Cluster } from './cluster.ts';

export const chart = 'deploy/helm';
/** All that the chart may make and that stays as it was made. */
const kinds = [
  ...[
    'deployments',
    'replicasets',
    'cronjobs',
    'services',
    'serviceaccounts',
    'configmaps',
    'networkpolicies',
  ],
  ...['poddisruptionbudgets', 'horizontalpodautoscalers', 'persistentvolumeclaims', 'ingresses'],
  ...['httproutes', 'servicemonitors', 'prometheusrules'],
].join();

/** For what the controllers do; a quiet machine takes two seconds. */
export const patience = { withinMs: 300_000, everyMs: 500 };

/** A namespace that takes only pods which pass the restricted standard, and the release `memory` in it. */
export interface Release {
  namespace: string;
  /** Runs helm for the release. @throws Error unless it ends well and the API server warned of nothing. */
  helm(command: string, ...parameters: string[]): Promise<string>;
  /** Installs the chart and waits until all of it runs. */
  install(values?: object): Promise<void>;
  /** Upgrades to the chart with these values alone, and waits until all of it runs. */
  upgrade(values?: object): Promise<void>;
  kubectl(...parameters: string[]): Promise<string>;
  list(kinds: string): Promise<Admitted[]>;
  /** Pods that nothing has told to end. */
  pods(): Promise<Admitted[]>;
  claims(): Promise<{ name: string; uid: string }[]>;
  /** What the release made, by kind and name: what it should be, whatever its state is. */
  wanted(): Promise<Record<string, Admitted>>;
  /** Makes a Job of the CronJob and waits until it has ended well. */
  backUp(): Promise<void>;
  /** Runs `helm test`, and in the place of a kubelet tells its pod's end: a good one if `isWell` finds so. */
  test(isWell: (pod: Admitted) => Promise<boolean>): Promise<EndedProgram>;
}

/** The part that an object belongs to. */
export function partOf({ metadata }: Admitted): string | undefined {
  return metadata.labels?.['app.kubernetes.io/component'];
}

/** Makes a namespace; nothing is installed yet. */
export async function newRelease(cluster: Cluster): Promise<Release> {
  const namespace = `memory-${crypto.randomUUID()}`;
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  const here = `--namespace=${namespace}`;
  const list = async (wantedKinds: string): Promise<Admitted[]> =>
    JSON.parse(await cluster.kubectl('get', wantedKinds, here, '--output=json')).items;
  const helm = async (command: string, ...parameters: string[]) => {
    const ended = await cluster.helm(...command.split(' '), 'memory', ...parameters, here);
    expect(ended).toEqual({ code: 0, stdout: ended.stdout, stderr: '' });
    return ended.stdout;
  };
  const withValues =
    (command: string) =>
    async (values: object = {}) => {
      await helm(command, chart, `--values=${cluster.file(values)}`, '--wait');
    };
  const pods = async () =>
    (await list('pods')).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const kubectl = (...parameters: string[]) => cluster.kubectl(...parameters, here);
  return {
    namespace,
    helm,
    install: withValues('install'),
    upgrade: withValues('upgrade'),
    kubectl,
    list,
    pods,
    claims: async () =>
      (await list('persistentvolumeclaims')).map(({ metadata: { name, uid } }) => ({ name, uid })),
    async wanted() {
      const made = (await list(kinds)).filter(
        ({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] === 'memory',
      );
      return Object.fromEntries(
        made.map(({ kind, metadata: { name, uid, generation }, spec, data }) => [
          `${kind} ${name}`,
          { uid, generation, spec, data },
        ]),
      );
    },
    async backUp() {
      await kubectl('create', 'job', '--from=cronjob/memory-backup', 'first');
      await kubectl('wait', 'job/first', '--for=condition=Complete', '--timeout=300s');
    },
    async test(isWell) {
      const ofTest = async () => (await pods()).filter((pod) => partOf(pod) === 'test');
      const [earlier] = await ofTest();
      const running = cluster.helm('test', 'memory', here);
      const pod = await eventually(
        'the pod runs',
        async () =>
          (await ofTest()).find(
            ({ metadata, status }) => metadata.uid !== earlier?.metadata.uid && status.phase === 'Running',
          ),
        patience,
      );
      const phase = (await isWell(pod)) ? 'Succeeded' : 'Failed';
      const patch = `--patch={"status":{"phase":"${phase}"}}`;
      await kubectl('patch', 'pod', pod.metadata.name, '--subresource=status', patch);
      return running;
    },
  };
}
