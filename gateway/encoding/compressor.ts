import { brotliCompress, constants, gzip, type InputType, zstdCompress } from 'node:zlib';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { type CompressedEncoding, compressedEncodings } from './accept-encoding.ts';

/** Answers up to this size are sent as they are: a packet more or less is all there is to win. */
export const smallAnswerBytes = 1_024;
/** Answers that are compressed at once, on threads that the file system and DNS need as well; Node has four. */
const maxRunning = 2;
/** Bytes that may wait to be compressed, some tenths of a second; beyond it answers are sent as they are. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Text shrinks to a third: the output of most answers is one piece, and that of the largest pages a few. */
const [minChunkBytes, maxChunkBytes] = [16 * 1024, 1024 * 1024];
/**
 * Cheap levels, because most pages are read once. On 50 notes of 2 KB: zstd 0.5 ms, brotli 1.7 ms, gzip 1.4 ms, and all
 * to a little more than a third; the next levels save 5 in 100 for two to three times the time.
 */
const levels = { zstd: 3, br: 1, gzip: 1 };

/** Compresses answers beside the event loop. */
export interface Compressor {
  /** Returns a compressed body in memory of its own; undefined if too much is waiting, so it is better sent as it is. */
  compress(encoding: CompressedEncoding, body: Buffer): Promise<Buffer | undefined>;
}

type Compress = (
  body: InputType,
  chunkSize: number,
  done: (error: Error | null, result: Buffer) => void,
) => void;

const compressions: Record<CompressedEncoding, Compress> = {
  zstd: (body, chunkSize, done) =>
    zstdCompress(body, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: levels.zstd } }, done),
  br: (body, chunkSize, done) =>
    brotliCompress(body, { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: levels.br } }, done),
  gzip: (body, chunkSize, done) => gzip(body, { chunkSize, level: levels.gzip }, done),
};

/** Creates the compressor of a gateway. */
export function createCompressor({ metrics }: { metrics: Metrics }): Compressor {
  const waiting: (() => void)[] = [];
  let running = 0;
  let waitingBytes = 0;
  const counters = compressedEncodings.map((encoding) => {
    return [encoding, metrics.counter('teammemory_http_answers_compressed_total', { encoding })];
  });
  const count = Object.fromEntries(counters) as Record<CompressedEncoding, () => void>;
  const countRefused = metrics.counter('teammemory_http_answers_not_compressed_total');

  function finish(): void {
    running -= 1;
    waiting.shift()?.();
  }

  async function takeTurn(bytes: number): Promise<void> {
    if (running >= maxRunning) {
      waitingBytes += bytes;
      await new Promise<void>((resolve) => waiting.push(resolve));
      waitingBytes -= bytes;
    }
    running += 1;
  }

  return {
    async compress(encoding, body) {
      if (running >= maxRunning && waitingBytes + body.length > maxWaitingBytes) {
        countRefused();
        return undefined;
      }
      await takeTurn(body.length);
      try {
        count[encoding]();
        const result = await new Promise<Buffer>((resolve, reject) => {
          const chunkBytes = Math.min(Math.max(Math.ceil(body.length / 2), minChunkBytes), maxChunkBytes);
          compressions[encoding](body, chunkBytes, (error, compressed) =>
            error === null ? resolve(compressed) : reject(error),
          );
        });
        // The result is a part of a larger piece of memory.
        const own = Buffer.allocUnsafeSlow(result.length);
        own.set(result);
        return own;
      } finally {
        finish();
      }
    },
  };
}
