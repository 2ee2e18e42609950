import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { partProcesses } from './support/deployment/part-process.ts';
import { programEnvironment } from './support/service/running-service.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** Limits for what hangs: ten processes are started, on a loaded machine. */
const timeoutMs = 90_000;
const patience = { withinMs: 40_000 };

/** Starts the supervisor with servers that nobody answers for, so that it is still starting until it is ended. */
function startSupervisor(dataDirectory: string, settings: Record<string, string> = {}) {
  const supervisor = spawn(process.execPath, ['services/separate/main.ts'], {
    cwd: repository,
    env: {
      ...programEnvironment(dataDirectory),
      MONGODB_URL: 'mongodb://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  supervisor.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    supervisor,
    exited: once(supervisor, 'exit'),
    output: () => output,
    parts: () => partProcesses({ output: () => ({ stderr: output }) }),
  };
}

/** Listens on a port as any other program may. */
async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function isAlive({ pid }: { pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  test(`${signal} while the parts are starting leaves none of them behind`, {
    timeout: timeoutMs,
  }, async () => {
    const directory = await temporaryDirectory();
    try {
      const { supervisor, exited, parts } = startSupervisor(directory.path);
      const started = await eventually('parts are started', () => parts().length >= 5 && parts(), patience);
      supervisor.kill(signal);
      const [code] = await exited;
      expect(code).toBe(signal === 'SIGKILL' ? null : 0);
      await eventually('no part is left', () => !started.some(isAlive), patience);
    } finally {
      await directory.remove();
    }
  });
}

test('a port that was asked for and another program has ends the start, which says so', async () => {
  const directory = await temporaryDirectory();
  const other = await occupy(0);
  const { port } = other.address() as AddressInfo;
  try {
    const { exited, parts, output } = startSupervisor(directory.path, { PORT: String(port) });
    expect((await exited)[0]).toBe(1);
    expect(output()).toContain(`Port ${port} is in use; set PORT to another one`);
    expect(parts()).toHaveLength(5);
  } finally {
    other.close();
    await directory.remove();
  }
});
