import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A server in a process of its own; it answers with its name. */
export interface ServerProcess {
  port: number;
  url: string;
  /** Sends a signal and, where that ends it, waits for the end; answers the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Stops it without closing anything: connections are accepted, nothing is answered. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
}

/**
 * Starts `server-program.fixture.ts`, which is killed at the end of the test.
 * With a port it takes the place of one that is gone.
 */
export async function startServerProcess(name: string, port = 0): Promise<ServerProcess> {
  const program = join(import.meta.dirname, 'server-program.fixture.ts');
  const child: ChildProcess = spawn(process.execPath, [program, name, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the program has no output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const bound = Number(line.toString());
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    async end(signal) {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
