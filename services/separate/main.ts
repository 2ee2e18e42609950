import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createLog } from '@teammemory/log/log.ts';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { type Running, runProcess } from '@teammemory/process/run-process.ts';
import { newAdministratorToken } from '@teammemory/process/setting-types.ts';
import { readSeparateSettings } from './config.ts';
import { planParts } from './plan-parts.ts';
import { supervise } from './supervise.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Seven or more processes on a small machine that is busy. */
const startTimeoutMs = 90_000;
/** A gateway gives each part it asks less than this. */
const readyTimeoutMs = 10_000;
/** Longer than the gateways take, and the services after them. */
const stopTimeoutMs = 75_000;

/** Starts every part in a process of its own on this machine, for trying out what a large installation does. */
async function startSeparate(): Promise<Running> {
  const { settings, environment } = readSeparateSettings();
  const log = createLog({ level: settings.LOG_LEVEL, part: 'separate' });
  const program = await openAll(log, async (onStop) => {
    const dataDirectory = openDataDirectory(settings.DATA_DIR);
    onStop(dataDirectory.release);
    for (const notice of dataDirectory.notices) log.warn(notice);
    const TMS_ADMIN_TOKEN = settings.TMS_ADMIN_TOKEN ?? newAdministratorToken();
    const { SIGNING_KEY_FILE, VERIFICATION_KEYS_FILE } = writeSigningKeys(dataDirectory.path);
    const ofServices = { TMS_ADMIN_TOKEN, VERIFICATION_KEYS_FILE };
    const plan = await planParts(settings, { ...environment, SIGNING_KEY_FILE }, ofServices);
    const supervisor = supervise([...plan.services, ...plan.gateways], repository, log);
    onStop(() => supervisor.stop(plan.services));
    onStop(() => supervisor.stop(plan.gateways));
    const gateways = plan.gateways.map(({ address }) => address);
    await Promise.race([supervisor.failed, Promise.all(gateways.map(untilReady))]);
    supervisor.keepRunning();
    dataDirectory.writeSecret('admin.json', { rpc_url: plan.rpcAddress, token: TMS_ADMIN_TOKEN });
    log.info({ addresses: { gateway: gateways[0], gateways, rpc: plan.rpcAddress } }, 'started');
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

/** Writes the key pair of caller tokens, good until the next start, to new files that only the owner may read. */
function writeSigningKeys(directory: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const write = (name: string, text: string | Buffer) => {
    const file = join(directory, name);
    // Whoever made a file that is there before could read what is written to it.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return file;
  };
  return {
    SIGNING_KEY_FILE: write('signing-key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' })),
    VERIFICATION_KEYS_FILE: write('verification-keys.pem', publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

/** Waits until a gateway reaches every part. @throws AppError `unavailable`, naming what is missing after a time. */
async function untilReady(address: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  let missing = await missingAt(address);
  while (missing.length > 0 && performance.now() < deadline) {
    await delay(100);
    missing = await missingAt(address);
  }
  if (missing.length === 0) return;
  const sentence = `The parts did not get ready in time; missing: ${missing.join(', ')}.`;
  throw new AppError('unavailable', sentence);
}

/** Returns what a gateway says it waits for, or the gateway itself if it does not answer. */
async function missingAt(address: string): Promise<string[]> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    const { missing = [], degraded = [] } = (await answer.json()) as Record<string, string[] | undefined>;
    return [...missing, ...degraded];
  } catch {
    return ['gateway'];
  }
}

await runProcess(startSeparate, { stopTimeoutMs });
