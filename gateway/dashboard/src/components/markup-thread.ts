import type { MarkupAnswer, MarkupRequest } from './markup-worker.ts';
import workerUrl from './markup-worker.ts?worker&url';

/** A worker that is not done by then is ended. Texts that are not made to be slow take some milliseconds. */
const maxMarkupMs = 2_000;

/** Trusted Types, which not all browsers have. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
}

/** The policy by which the page may start this worker and no other. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('markup-worker', {
  createScriptURL: () => workerUrl,
});

let starting: Promise<Worker> | undefined;
/** One request at a time, so that an answer belongs to its request and the time of a slow text to that text. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Starts the thread that makes markup, if there is none. Rejects if it cannot be loaded. */
export function markupThread(): Promise<Worker> {
  starting ??= startWorker();
  return starting;
}

/**
 * Returns the markup of some texts, made in a thread. Undefined stands for a text that cannot be laid out; without any
 * answer, all took too long together or nobody waits any more.
 */
export function markupOf(request: MarkupRequest, signal: AbortSignal): Promise<MarkupAnswer> {
  const turn = lastTurn.then(async () => (signal.aborted ? [] : ask(await markupThread(), request)));
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl);
  await new Promise<void>((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = () => {
      starting = undefined;
      reject(new Error('The thread that lays out texts cannot be loaded.'));
    };
  });
  return worker;
}

function ask(worker: Worker, request: MarkupRequest): Promise<MarkupAnswer> {
  return new Promise((resolve) => {
    function giveUp() {
      worker.terminate();
      starting = undefined;
      resolve([]);
    }
    const timer = setTimeout(giveUp, maxMarkupMs);
    worker.onerror = giveUp;
    worker.onmessage = ({ data }: MessageEvent<MarkupAnswer>) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.postMessage(request);
  });
}
