import { fileURLToPath } from 'node:url';
import { createLog } from '@teammemory/log/log.ts';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { type Running, runProcess } from '@teammemory/process/run-process.ts';
import { newAdministratorToken } from '@teammemory/process/setting-types.ts';
import { readSeparateSettings } from './config.ts';
import { startParts } from './start-parts.ts';
import { supervisorStopTimeoutMs } from './supervise.ts';
import { writeSigningKeys } from './write-signing-keys.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Starts every part in a process of its own on this machine, for trying out what a large installation does. */
async function startSeparate(): Promise<Running> {
  const { settings, environment } = readSeparateSettings();
  const log = createLog({ level: settings.LOG_LEVEL, part: 'separate' });
  const program = await openAll(log, async (onStop) => {
    const dataDirectory = openDataDirectory(settings.DATA_DIR);
    onStop(dataDirectory.release);
    for (const notice of dataDirectory.notices) log.warn(notice);
    const administratorToken = settings.TMS_ADMIN_TOKEN ?? newAdministratorToken();
    const keys = writeSigningKeys(dataDirectory.path);
    const shared = { settings, environment, administratorToken, ...keys };
    const { supervisor, gateways, rpcAddress, stop } = await startParts({ ...shared, repository, log });
    onStop(stop);
    dataDirectory.writeSecret('admin.json', { rpc_url: rpcAddress, token: administratorToken });
    const [gateway] = gateways;
    log.info({ addresses: { gateway, gateways, rpc: rpcAddress } }, 'started');
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

await runProcess(startSeparate, { stopTimeoutMs: supervisorStopTimeoutMs });
