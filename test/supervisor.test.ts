import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Starts the supervisor with servers that nobody answers for, so that it is still starting until it is ended. */
async function startingSupervisor(dataDirectory: string) {
  const supervisor = spawn(process.execPath, ['services/separate/main.ts'], {
    cwd: repository,
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDirectory,
      PORT: '0',
      RPC_PORT: '0',
      MONGODB_URL: 'mongodb://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  supervisor.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(supervisor, 'exit');
  const parts = await eventually('parts are started', () => {
    const lines = output.split('\n').filter((line) => line.includes('"msg":"part started"'));
    return lines.length >= 5 && lines.map((line) => JSON.parse(line).pid as number);
  });
  return { supervisor, exited, parts };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  test(`${signal} while the parts are starting leaves none of them behind`, async () => {
    const directory = await temporaryDirectory();
    try {
      const { supervisor, exited, parts } = await startingSupervisor(directory.path);
      supervisor.kill(signal);
      const [code] = await exited;
      expect(code).toBe(signal === 'SIGKILL' ? null : 0);
      await eventually('no part is left', () => !parts.some(isAlive));
    } finally {
      await directory.remove();
    }
  });
}
