import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { programEnvironment } from './support/service/running-service.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** Limits for what hangs: ten processes are started, on a loaded machine. */
const timeoutMs = 90_000;
const patience = { withinMs: 40_000 };

/** What the supervisor says of a process that it has started. */
interface StartedPart {
  name: string;
  pid: number;
  address: string;
}

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
  const lines = (message: string) => output.split('\n').filter((line) => line.includes(`"msg":"${message}`));
  return {
    supervisor,
    exited: once(supervisor, 'exit'),
    output: () => output,
    lines,
    parts: () => lines('part started').map((line) => JSON.parse(line) as StartedPart),
  };
}

/** Waits until the gateway was started for the n-th time, and answers its port. */
function gatewayPort(parts: () => StartedPart[], starts: number): Promise<number> {
  const port = () => {
    const gateways = parts().filter(({ name }) => name === 'gateway-1');
    return gateways.length === starts && Number(new URL(gateways[starts - 1]?.address ?? '').port);
  };
  return eventually(`a gateway was started ${starts} times`, port, patience);
}

/** An environment in which a gateway does nothing, not even listen, before a file is there. */
function gatewayWaitsFor(file: string): Record<string, string> {
  const program = `
    import { existsSync } from 'node:fs';
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const isGateway = process.argv[1].endsWith('/gateway/main.ts');
    while (isGateway && !existsSync(${JSON.stringify(file)})) Atomics.wait(pause, 0, 0, 20);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
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

test('a port that the supervisor chose and another program took is given up for another one', {
  timeout: timeoutMs,
}, async () => {
  const directory = await temporaryDirectory();
  const portIsTaken = join(directory.path, 'port-is-taken');
  const { supervisor, exited, parts, lines } = startSupervisor(directory.path, gatewayWaitsFor(portIsTaken));
  const taken = await gatewayPort(parts, 1);
  const other = await occupy(taken);
  try {
    await writeFile(portIsTaken, '');
    const port = await gatewayPort(parts, 2);
    expect(port).not.toBe(taken);
    expect(lines('something else took a port').map((line) => JSON.parse(line).port)).toEqual([taken]);
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually('the gateway listens on the other port', isUp, patience);
    await eventually(
      'no part of the first start is left',
      () => !parts().slice(0, 5).some(isAlive),
      patience,
    );
  } finally {
    other.close();
    supervisor.kill('SIGTERM');
    await exited;
    await directory.remove();
  }
});

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
