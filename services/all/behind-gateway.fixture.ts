// Content and auth in this process, on SQLite, and the gateway before them in another: to measure what lies between
// processes on the same store as in one. Takes the settings of `npm start`, and tells that it started as that does.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createAuthService } from '@teammemory/auth/service.ts';
import { contentOptions } from '@teammemory/content/config.ts';
import { createContentService } from '@teammemory/content/service.ts';
import { createLog } from '@teammemory/log/log.ts';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { addressOf } from '@teammemory/process/listening.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { runProcess } from '@teammemory/process/run-process.ts';
import { newAdministratorToken } from '@teammemory/process/setting-types.ts';
import {
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from '@teammemory/rpc/auth/caller-token.ts';
import { guardService } from '@teammemory/rpc/server/guard-service.ts';
import { startRpcServer } from '@teammemory/rpc/server/rpc-server.ts';
import type { RpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { readAllSettings } from './config.ts';

const gatewayProgram = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url));
const here = { host: '127.0.0.1', port: 0 };

/** Starts the gateway before services that all answer at one address; returns its own addresses. */
async function startGateway(servicesUrl: string, environment: Record<string, string>) {
  const part = (name: string) => [`${name}_URL`, servicesUrl];
  const child = fork(gatewayProgram, {
    // Over a channel: it goes when this process does.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: {
      ...environment,
      ...Object.fromEntries(['ANALYTICS', 'AUTH', 'CONTENT', 'QUERY'].map(part)),
      PORT: '0',
      RPC_PORT: '0',
      METRICS_PORT: '0',
      ONLY_GATEWAY: 'yes',
    },
  });
  const log = child.stderr as Readable;
  log.pipe(process.stderr);
  const [line] = await once(createInterface(log), 'line');
  return { addresses: JSON.parse(line).addresses, close: () => child.disconnect() };
}

await runProcess(() => {
  const settings = readAllSettings();
  const log = createLog({ level: settings.LOG_LEVEL, part: 'content' });
  return openAll(log, async (onStop) => {
    const dataDirectory = openDataDirectory(settings.DATA_DIR);
    onStop(dataDirectory.release);
    const administratorToken = newAdministratorToken();
    const { privateKey, publicKey } = generateSigningKeys();
    const clock = Date.now;
    const metrics = createMetrics();
    const storage = { engine: 'sqlite', directory: dataDirectory.path, metrics } as const;
    const signer = createTokenSigner({ privateKey, clock });
    const auth = await createAuthService({ storage, clock, log, signer });
    onStop(auth.close);
    const content = await createContentService({ storage, clock, ...contentOptions(settings), log, metrics });
    onStop(content.close);
    const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
    const guarded = (service: RpcService) =>
      guardService({ service, verifier, administratorToken, clock, log, metrics });
    const server = await startRpcServer({ ...here, services: [auth.rpc, content.rpc].map(guarded) });
    onStop(server.close);
    const metricsServer = await startMetricsServer({ ...here, metrics });
    onStop(metricsServer.close);
    const metricsUrl = `${addressOf(here.host, metricsServer.port)}/metrics`;
    log.info({ addresses: { metrics: metricsUrl } }, 'started');
    const rpcUrl = addressOf(here.host, server.port);
    const gateway = await startGateway(rpcUrl, {
      SIGNING_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      ITEM_WRITES_PER_MINUTE: String(settings.ITEM_WRITES_PER_MINUTE),
    });
    onStop(gateway.close);
    dataDirectory.writeSecret('admin.json', { rpc_url: rpcUrl, token: administratorToken });
    const whole = createLog({ level: settings.LOG_LEVEL, part: 'all' });
    whole.info({ addresses: { gateway: gateway.addresses.gateway } }, 'started');
    return {};
  });
});
