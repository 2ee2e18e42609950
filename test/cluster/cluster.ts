import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { freePort } from '@teammemory/testkit/free-port.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { deployTool } from '../support/deployment/deploy-tools.ts';
import { type EndedProgram, runToEnd } from '../support/service/run-program.ts';
import { clusterTools } from './tools.ts';

/** A quiet machine takes ten seconds until its nodes are ready. */
const startTimeoutMs = 5 * 60_000;
/** More than `helm` waits by itself, so that it says what it waited for. */
const toolTimeoutMs = 6 * 60_000;
const token = 'administrator';

// biome-ignore lint/suspicious/noExplicitAny: the API server has checked it.
export type Admitted = any;

/**
 * A Kubernetes whose nodes are made up: kwok says of each pod that it runs, and of one of a Job that it has ended well.
 * The API server, the scheduler and the controllers are real.
 */
export interface Cluster {
  /** Runs `helm` to its end. */
  helm(...parameters: string[]): Promise<EndedProgram>;
  /** Runs `kubectl`; returns what it prints. @throws Error with its errors unless it ends with 0. */
  kubectl(...parameters: string[]): Promise<string>;
  /** Makes objects, or changes them. */
  apply(...objects: object[]): Promise<void>;
  /** Writes a text or object into a file for a tool; returns its path. */
  file(content: object | string): string;
  /** Ends all its programs and removes what they stored. */
  stop(): Promise<void>;
}

/** Starts one on free ports of this machine, with three nodes in two zones. */
export async function startCluster(): Promise<Cluster> {
  const { path, remove } = await temporaryDirectory();
  const programs: ChildProcess[] = [];
  const kubeconfig = join(path, 'kubeconfig');
  const environment = { PATH: process.env.PATH ?? '', HOME: path, KUBECONFIG: kubeconfig };
  let files = 0;
  const start = (name: string, flags: Record<string, string | number | boolean>) => {
    const log = openSync(join(path, `${name}.log`), 'a');
    const parameters = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    programs.push(
      spawn(join(clusterTools, name), parameters, { env: environment, stdio: ['ignore', log, log] }),
    );
  };
  const cluster: Cluster = {
    helm: (...parameters) => runToEnd(deployTool('helm'), parameters, environment, toolTimeoutMs),
    async kubectl(...parameters) {
      const program = join(clusterTools, 'kubectl');
      const { code, stdout, stderr } = await runToEnd(program, parameters, environment, toolTimeoutMs);
      if (code !== 0) throw new Error(`kubectl ${parameters.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    },
    async apply(...objects) {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await cluster.kubectl('apply', '--server-side', `--filename=${cluster.file(list)}`);
    },
    file(content) {
      files += 1;
      const file = join(path, `input-${files}`);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    async stop() {
      // The storage last, so that none writes of its being away.
      for (const program of programs.toReversed()) {
        if (program.exitCode !== null || program.signalCode !== null) continue;
        const ended = once(program, 'exit');
        program.kill('SIGKILL');
        await ended;
      }
      await remove();
    },
  };
  try {
    await startControlPlane(path, kubeconfig, start, cluster);
    await cluster.apply(...nodes);
    await eventually(
      'the nodes are ready',
      () => cluster.kubectl('wait', 'nodes', '--all', '--for=condition=Ready', '--timeout=10s'),
      { withinMs: startTimeoutMs, everyMs: 500 },
    );
    return cluster;
  } catch (cause) {
    const api = readFileSync(join(path, 'kube-apiserver.log'), 'utf8').slice(-4000);
    await cluster.stop();
    throw new Error(`the cluster does not start: ${api}`, { cause });
  }
}

type Start = (name: string, flags: Record<string, string | number | boolean>) => void;

async function startControlPlane(path: string, kubeconfig: string, start: Start, cluster: Cluster) {
  const [client, peer, api] = [await freePort(), await freePort(), await freePort()];
  start('etcd', {
    'data-dir': join(path, 'etcd'),
    'listen-client-urls': `http://127.0.0.1:${client}`,
    'advertise-client-urls': `http://127.0.0.1:${client}`,
    'listen-peer-urls': `http://127.0.0.1:${peer}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${peer}`,
    'initial-cluster': `default=http://127.0.0.1:${peer}`,
    'unsafe-no-fsync': true,
  });
  const key = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
  const accountKey = cluster.file(key);
  start('kube-apiserver', {
    'etcd-servers': `http://127.0.0.1:${client}`,
    'bind-address': '127.0.0.1',
    'secure-port': api,
    // Nobody looks for the API server by its Service, so any address will do.
    'advertise-address': '192.0.2.1',
    'endpoint-reconciler-type': 'none',
    'cert-dir': join(path, 'certificates'),
    'token-auth-file': cluster.file(`${token},administrator,administrator,system:masters\n`),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': accountKey,
    'service-account-signing-key-file': accountKey,
    'service-cluster-ip-range': '10.96.0.0/16',
  });
  const access = kubeconfigOf(api, join(path, 'certificates', 'apiserver.crt'));
  // helm warns of one that others may read.
  writeFileSync(kubeconfig, JSON.stringify(access), { mode: 0o600 });
  await eventually('the API server is ready', () => cluster.kubectl('get', '--raw=/readyz'), {
    withinMs: startTimeoutMs,
    everyMs: 500,
  });
  const asOne = { kubeconfig, 'leader-elect': false, 'secure-port': 0 };
  start('kube-controller-manager', {
    ...asOne,
    'service-account-private-key-file': accountKey,
    'horizontal-pod-autoscaler-sync-period': '1s',
    // The nodes tell nothing after their start.
    'node-monitor-grace-period': '24h',
  });
  start('kube-scheduler', asOne);
  start('kwok', {
    kubeconfig,
    config: join(clusterTools, 'kwok.yaml'),
    'manage-all-nodes': true,
    'node-ip': '127.0.0.1',
  });
}

function kubeconfigOf(port: number, authority: string): object {
  const [cluster, user] = ['made-up', 'administrator'];
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': authority },
      },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  };
}

const nodes = ['a', 'b', 'b'].map((zone, index) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `node-${index}`,
    labels: {
      'kubernetes.io/hostname': `node-${index}`,
      'topology.kubernetes.io/zone': zone,
      disk: index === 0 ? 'fast' : 'faster',
    },
  },
}));
