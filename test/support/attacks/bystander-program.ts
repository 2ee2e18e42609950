// One client of another team while an attack goes on, as a process of its own, so that a busy test does not count as a
// slow service: sends the same request over and over on one connection and reports how long each answer took.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What it is told to send. */
export interface BystanderRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent with POST where it is there, else the request is a GET. */
  body?: string;
  /** Between an answer and the next request. */
  pauseMs: number;
}

/** What it saw until it was told to stop. */
export interface BystanderReport {
  /** Longest time from a request to the end of its answer, refused and failed ones included. */
  worstMs: number;
  medianMs: number;
  /** 99 of 100 answers took at most this. */
  p99Ms: number;
  requests: number;
  /** What went wrong, one line for each answer that was not a 200. */
  failures: string[];
}

/** Longer than any bound that a test asserts: what is not answered by then counts with this time. */
const timeoutMs = 60_000;

let ended = new AbortController();
process.on('disconnect', () => process.exit());
process.on('message', (message: BystanderRequest | 'stop') => {
  if (message === 'stop') return ended.abort();
  ended = new AbortController();
  void pull(message, ended.signal);
});

async function pull({ url, headers, body, pauseMs }: BystanderRequest, signal: AbortSignal): Promise<void> {
  const durations: number[] = [];
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!signal.aborted) {
    const startedMs = performance.now();
    const failure = await answered(url, { headers, agent, timeout: timeoutMs }, body);
    durations.push(performance.now() - startedMs);
    if (failure !== undefined) failures.push(failure);
    if (durations.length === 1) process.send?.('pulling');
    await delay(pauseMs);
  }
  agent.destroy();
  const sorted = durations.toSorted((left, right) => left - right);
  const report: BystanderReport = {
    worstMs: sorted.at(-1) ?? Number.NaN,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    requests: sorted.length,
    failures,
  };
  process.send?.(report);
}

/** Resolves with what went wrong, if anything did, once the answer has ended. */
function answered(url: string, options: object, body: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { ...options, method }, (response) => {
      response.resume();
      response.once('error', ({ message }) => resolve(message));
      response.once('end', () =>
        resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`),
      );
    });
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    sent.once('error', ({ message }) => resolve(message));
    sent.end(body);
  });
}
