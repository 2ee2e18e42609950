import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { partEnvironment } from '../service/running-service.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const startTimeoutMs = 60_000;

/** One part, started by hand. */
export interface RunningPart {
  rpcUrl: string;
  /** Address of the public API; undefined for a service. */
  url: string | undefined;
  metricsUrl: string;
  /** What it logged so far. */
  log(): string;
  /** Ends it, by force. */
  remove(): Promise<void>;
}

/** Starts one part, a service or the gateway, on free ports, with these settings and nothing else. @throws Error when it does not start. */
export async function startPart(part: string, settings: Record<string, string>): Promise<RunningPart> {
  const child = spawn(
    process.execPath,
    [part === 'gateway' ? 'gateway/main.ts' : `services/${part}/main.ts`],
    {
      cwd: repository,
      env: { ...partEnvironment(), ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const remove = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const started = () => log.split('\n').find((line) => line.includes('"msg":"started"'));
    const line = await eventually('the part to start', started, { withinMs: startTimeoutMs });
    const { rpc, gateway, metrics } = JSON.parse(line).addresses;
    return { rpcUrl: rpc, url: gateway, metricsUrl: metrics, log: () => log, remove };
  } catch (cause) {
    await remove();
    throw new Error(`the part ${part} did not start: ${log}`, { cause });
  }
}
