import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Part } from './plan-parts.ts';

/** A part that ends this often within the time below is dead for good. */
const deaths = { most: 5, withinMs: 60_000 };
/** First wait before a part is started again; each further one is twice as long. */
const restartAfterMs = 100;
/** Longer than a part takes to finish what is under way; one that hangs is ended by force then. */
const partStopTimeoutMs = 35_000;

/** Starts every part as a process of its own and watches over them. `repository` is where their programs are. */
export function supervise(parts: readonly Part[], repository: string, log: Log) {
  const children = new Map<string, ChildProcess>();
  const failure = Promise.withResolvers<never>();
  // A failure while nobody waits for one yet must not end the process.
  failure.promise.catch(() => undefined);
  let keeping = false;
  let stopping = false;

  function start(part: Part, endings: readonly number[]): void {
    const child = spawn(process.execPath, [part.program], {
      cwd: repository,
      env: part.environment,
      // A channel: its end tells a part that its supervisor is gone. A group of its own: Ctrl-C reaches
      // the supervisor only, which stops the parts in their order.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    children.set(part.name, child);
    log.info({ name: part.name, pid: child.pid, address: part.address }, 'part started');
    child.once('error', (error) => failure.reject(error));
    child.once('exit', (code, signal) => {
      children.delete(part.name);
      if (!stopping) void ended(part, endings, { code, signal });
    });
  }

  async function ended(part: Part, endings: readonly number[], how: object): Promise<void> {
    const now = performance.now();
    const recent = [...endings.filter((at) => at > now - deaths.withinMs), now];
    log.warn({ name: part.name, ...how }, 'part ended');
    if (!keeping || recent.length >= deaths.most) {
      failure.reject(new AppError('unavailable', `The part ${part.name} could not be kept running.`));
      return;
    }
    await delay(restartAfterMs * 2 ** (recent.length - 1));
    if (!stopping) start(part, recent);
  }

  for (const part of parts) start(part, []);
  // However this process ends, short of being killed itself, it leaves nothing behind.
  process.once('exit', () => {
    for (const child of children.values()) child.kill('SIGKILL');
  });
  return {
    /** Rejects when a part is dead for good, or could not be started at all. */
    failed: failure.promise,
    /** From now on a part that ends is started again. Until then its end is a failed start. */
    keepRunning() {
      keeping = true;
    },
    /** Stops these parts at once, and waits until they are gone. None is started again from then on. */
    async stop(these: readonly Part[]): Promise<void> {
      stopping = true;
      await Promise.all(these.map(({ name }) => end(children.get(name))));
    },
  };
}

/** Ends a process, by force where it does not go by itself. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const kill = setTimeout(() => child.kill('SIGKILL'), partStopTimeoutMs);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(kill);
}
