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
  /** Ends it, by force. */
  remove(): Promise<void>;
}

/** Starts one service on free ports, with these settings and nothing else. @throws Error when it does not start. */
export async function startPart(part: string, settings: Record<string, string>): Promise<RunningPart> {
  const child = spawn(process.execPath, [`services/${part}/main.ts`], {
    cwd: repository,
    env: { ...partEnvironment(), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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
    return { rpcUrl: JSON.parse(line).addresses.rpc, remove };
  } catch (cause) {
    await remove();
    throw new Error(`the part ${part} did not start: ${log}`, { cause });
  }
}
