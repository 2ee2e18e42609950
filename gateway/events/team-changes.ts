import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '@teammemory/errors/app-error.ts';

/** Until the next stream is opened beside the present one, which ends by itself 10 s later. */
const renewMs = 100_000;
/** Content says something once a second. A stream that is silent for so long is as good as ended. */
const silenceMs = 5_000;
/** The pause after a failure. */
const retryMs = 1_000;

/** Opens a stream of content's that names the teams whose lists change. */
export type OpenTeamChanges = (signal: AbortSignal) => Promise<AsyncIterable<{ teamIds: readonly string[] }>>;

/** Is told of each message of a stream. */
export interface TeamChangesListener {
  /** These teams changed. `all`: any may have changed, because nobody listened for a while. */
  onChange(teamIds: readonly string[] | 'all'): void;
  /** Nothing is heard. It is tried again until it succeeds. */
  onFailure(error: unknown): void;
}

/**
 * Follows which teams change, with one stream that is renewed before it ends, so that nothing happens between two. A
 * content process of a version without the method refuses it; then all teams may have changed, with each attempt. Returns
 * a function that ends it.
 */
export function followTeamChanges(open: OpenTeamChanges, listener: TeamChangesListener): () => void {
  const stopped = new AbortController();
  let streams = 0;

  /** Reads one stream to its end; returns whether it said anything. */
  async function read(): Promise<boolean> {
    const silent = new AbortController();
    const timer = setTimeout(() => {
      silent.abort(new AppError('unavailable', 'The service says nothing about changes.'));
    }, silenceMs);
    let isOpen = false;
    try {
      const messages = await open(AbortSignal.any([stopped.signal, silent.signal]));
      for await (const { teamIds } of messages) {
        timer.refresh();
        listener.onChange(isOpen || streams > 0 ? teamIds : 'all');
        if (!isOpen) streams += 1;
        isOpen = true;
      }
      return isOpen;
    } finally {
      clearTimeout(timer);
      if (isOpen) streams -= 1;
    }
  }

  /** Resolves when the next stream is to be opened. */
  async function readOne(): Promise<void> {
    const waiting = new AbortController();
    const waited = (milliseconds: number) =>
      delay(milliseconds, undefined, { signal: AbortSignal.any([stopped.signal, waiting.signal]) }).catch(
        () => undefined,
      );
    const hasSpoken = read().catch((error: unknown) => {
      if (stopped.signal.aborted || streams > 0) return false;
      if (toAppError(error).code === 'unimplemented') listener.onChange('all');
      else listener.onFailure(error);
      return false;
    });
    const ended = hasSpoken.then((spoken) => (spoken ? undefined : waited(retryMs)));
    await Promise.race([ended, waited(renewMs)]);
    waiting.abort();
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) await readOne();
  }

  void run();
  return () => stopped.abort();
}
