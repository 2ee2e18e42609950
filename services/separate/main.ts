import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createLog } from '@teammemory/log/log.ts';
import { newAdministratorToken } from '@teammemory/process/administrator-token.ts';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { type Running, runProcess } from '@teammemory/process/run-process.ts';
import { gatewayPorts, readSeparateSettings } from './config.ts';
import { findFreePorts } from './free-ports.ts';
import { planParts } from './plan-parts.ts';
import { supervise, supervisorStopTimeoutMs } from './supervise.ts';
import { writeSigningKeys } from './write-signing-keys.ts';

/** Seven or more processes on a small machine that is busy. */
const startTimeoutMs = 90_000;
const pollMs = 100;
/** A gateway gives each part it asks less than this. */
const readyTimeoutMs = 10_000;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Starts every part in a process of its own on this machine, for trying out what a large installation does. */
async function startSeparate(): Promise<Running> {
  const { settings, environment } = readSeparateSettings();
  const log = createLog({ level: settings.LOG_LEVEL, part: 'separate' });
  const program = await openAll(log, async (onStop) => {
    const dataDirectory = openDataDirectory(settings.DATA_DIR);
    onStop(dataDirectory.release);
    const administratorToken = settings.TMS_ADMIN_TOKEN ?? newAdministratorToken();
    const keys = writeSigningKeys(dataDirectory.path);
    const { RPC_PORT, METRICS_PORT } = settings;
    const except = [...gatewayPorts(settings), RPC_PORT, METRICS_PORT];
    const ports = findFreePorts({ host: '127.0.0.1', except });
    const shared = { settings, environment, administratorToken, ...keys };
    const plan = await planParts({ ...shared, freePort: ports.take });
    await ports.release();
    const supervisor = supervise({ parts: plan.parts, repository, log });
    onStop(supervisor.stop);
    const gateways = plan.parts.filter(({ stage }) => stage === 0).map(({ address }) => address);
    await Promise.race([supervisor.failed, untilReady(gateways)]);
    supervisor.keepRunning();
    dataDirectory.writeSecret('admin.json', { rpc_url: plan.rpcAddress, token: administratorToken });
    const [gateway] = gateways;
    log.info({ addresses: { gateway, gateways, rpc: plan.rpcAddress } }, 'started');
    return { supervisor, gateways };
  });
  return {
    stop: program.stop,
    async started() {
      console.log(`\nTeam Memory Service is up, each part in a process of its own.`);
      for (const address of program.gateways) console.log(`  API      ${address}/api/v1`);
      console.log(`Its administrator's credential is in ${settings.DATA_DIR}/admin.json.\n`);
      await program.supervisor.failed.catch(async (error: unknown) => {
        await program.stop();
        throw error;
      });
    },
  };
}

/**
 * Waits until every gateway says that all it needs is there.
 * @throws AppError `unavailable` when that takes too long, naming what is missing.
 */
async function untilReady(gateways: readonly string[]): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (const address of gateways) {
    for (;;) {
      const missing = await missingAt(address);
      if (missing.length === 0) break;
      if (performance.now() > deadline) {
        throw new AppError(
          'unavailable',
          `The parts did not get ready in time; missing: ${missing.join(', ')}.`,
        );
      }
      await delay(pollMs);
    }
  }
}

/** What a gateway says that it waits for; itself, where it does not answer. */
async function missingAt(address: string): Promise<string[]> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    return answer.ok ? [] : ((await answer.json()) as { missing: string[] }).missing;
  } catch {
    return ['gateway'];
  }
}

await runProcess(startSeparate, { stopTimeoutMs: supervisorStopTimeoutMs });
