// Content and auth in this process, on SQLite, behind the gateway in another: for measuring what lies between processes,
// with the same store as in one. Takes the settings of `npm start` and is found as that program is.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createAuthService } from '@teammemory/auth/service.ts';
import { createContentService } from '@teammemory/content/service.ts';
import { createLog } from '@teammemory/log/log.ts';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { addressOf } from '@teammemory/process/listening.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { runProcess } from '@teammemory/process/run-process.ts';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from '@teammemory/rpc/caller-token.ts';
import { createRequestGate } from '@teammemory/rpc/request-gate.ts';
import { startRpcServer } from '@teammemory/rpc/rpc-server.ts';
import type { RpcService } from '@teammemory/rpc/rpc-service.ts';
import { serviceInterceptors } from '@teammemory/rpc/service-interceptors.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { readAllSettings } from './config.ts';

const gatewayProgram = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url));
const administratorToken = 'the administrator of a measurement that lasts a minute';
const local = { host: '127.0.0.1', port: 0 };

await runProcess(() => {
  const settings = readAllSettings();
  const log = createLog({ level: settings.LOG_LEVEL, part: 'separate' });
  return openAll(log, async (onStop) => {
    const dataDirectory = openDataDirectory(settings.DATA_DIR);
    onStop(dataDirectory.release);
    const metrics = createMetrics();
    const { privateKey, publicKey } = generateSigningKeys();
    const clock = Date.now;
    const base = { administratorToken: administratorToken.replaceAll(' ', '-'), clock, log, metrics };
    const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
    const storage = { engine: 'sqlite', directory: dataDirectory.path, metrics } as const;
    const auth = await createAuthService({ ...base, storage, signer: createTokenSigner({ privateKey, clock }) });
    onStop(auth.close);
    const content = await createContentService({ ...base, storage, itemHistory: settings.ITEM_HISTORY });
    onStop(content.close);
    const guarded = (service: RpcService) => ({
      service,
      interceptors: serviceInterceptors({ ...base, service, verifier }),
      requestGate: createRequestGate({ ...base, audience: service.audience, verifier }),
    });
    const rpc = await startRpcServer({ ...local, services: [auth.rpc, content.rpc].map(guarded) });
    onStop(rpc.close);
    const metricsServer = await startMetricsServer({ ...local, metrics });
    onStop(metricsServer.close);
    const url = addressOf(local.host, rpc.port);
    const gateway = fork(gatewayProgram, {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: {
        PORT: '0', RPC_PORT: '0', METRICS_PORT: '0', ONLY_GATEWAY: 'yes',
        ITEM_WRITES_PER_MINUTE: String(settings.ITEM_WRITES_PER_MINUTE),
        ANALYTICS_URL: url, AUTH_URL: url, CONTENT_URL: url, QUERY_URL: url,
        SIGNING_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      },
    });
    onStop(() => gateway.disconnect());
    const [line] = await once(createInterface({ input: gateway.stderr! }), 'line');
    process.stderr.write(`${line}\n`);
    const { addresses } = JSON.parse(line);
    dataDirectory.writeSecret('admin.json', { rpc_url: url, token: base.administratorToken });
    log.info({ addresses: { gateway: addresses.gateway, metrics: `${addressOf(local.host, metricsServer.port)}/metrics` } }, 'started');
    return {};
  });
});
