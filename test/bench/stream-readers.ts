// Holds streams open and measures how long their deltas took, as a process of its own. Driven by messages of
// `ReaderCommand`; a delta carries the time at which it was sent (streaming-model.ts).
import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

export type ReaderCommand =
  /** Opens streams with the requests in turn, several at a time; answered when each has had its first delta. */
  | { kind: 'open'; group: string; port: number; requests: Uint8Array[]; streams: number }
  /** Answered with `Record<string, Delays>`, by group. */
  | { kind: 'measure'; durationMs: number };

/** Milliseconds from sending to reading, of all deltas that a group of streams had in a while. */
export interface Delays {
  deltas: number;
  medianMs: number;
  p99Ms: number;
}

/** Few enough that opening does not crowd out the streams that are open. */
const openedAtOnce = 16;
/** A stream that does not begin by then is a failure, not a slow one. */
const openTimeoutMs = 30_000;
const shortestDelayMicroseconds = 1;
const sentAt = /<(\d+)>/g;

const groups = new Map<string, ReturnType<typeof createHistogram>>();

async function openAll({ group, port, requests, streams }: Extract<ReaderCommand, { kind: 'open' }>) {
  const delays = groups.get(group) ?? createHistogram();
  groups.set(group, delays);
  let left = streams;
  const opener = async () => {
    while (left > 0) {
      left -= 1;
      const request = requests[left % requests.length] ?? new Uint8Array();
      await openOne({ port, request }, (microseconds) => delays.record(microseconds));
    }
  };
  await Promise.all(Array.from({ length: openedAtOnce }, opener));
}

function openOne(
  { port, request }: { port: number; request: Uint8Array },
  record: (microseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    /** The status line until the first delta, so that a refused stream says why. */
    let received = 'nothing';
    const refuse = () => reject(new Error(`a stream did not begin; received: ${received}`));
    const timer = setTimeout(refuse, openTimeoutMs);
    socket.write(request);
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (received === 'nothing') received = text.split('\r\n', 1)[0] ?? '';
      const now = Number(process.hrtime.bigint() / 1000n);
      for (const [, sent] of text.matchAll(sentAt)) {
        record(Math.max(shortestDelayMicroseconds, now - Number(sent)));
        clearTimeout(timer);
        resolve();
      }
    });
    socket.once('close', () => {
      throw new Error('a stream ended while it was measured');
    });
  });
}

async function measure(durationMs: number): Promise<Record<string, Delays>> {
  for (const delays of groups.values()) delays.reset();
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const result = ([group, delays]: [string, ReturnType<typeof createHistogram>]) => [
    group,
    { deltas: delays.count, medianMs: delays.percentile(50) / 1000, p99Ms: delays.percentile(99) / 1000 },
  ];
  return Object.fromEntries([...groups].map(result));
}

process.on('message', async (command: ReaderCommand) => {
  if (command.kind === 'open') process.send?.(await openAll(command).then(() => true));
  else process.send?.(await measure(command.durationMs));
});
process.on('disconnect', () => process.exit());
