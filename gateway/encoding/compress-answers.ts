import { brotliCompress, constants, gzip, type InputType, zstdCompress } from 'node:zlib';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Answers that are the same for everybody, each in all codings. */
const maxPublicAnswers = 32;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?json\b|application\/(?:javascript|proto)\b)/;

type Compress = (
  request: FastifyRequest,
  encoding: CompressedEncoding,
  body: string | Buffer,
) => Promise<Buffer | undefined>;

/**
 * Compresses the answers of a scope to callers whose key is known, as the client accepts it. What has a coding already
 * keeps it, as cached pages do. An answer to HEAD has no body, and event streams do not come here.
 */
export function compressAnswers(app: FastifyInstance, compressor: Compressor): void {
  addHook(app, async ({ caller }, encoding, body) =>
    // Nobody without a key can make the service work.
    caller === undefined ? undefined : compressor.compress(encoding, bytesOf(body)),
  );
}

/** The same for a scope whose answers never change: each is compressed once, so strangers may have them as well. */
export function compressPublicAnswers(app: FastifyInstance, compressor: Compressor): void {
  const answers = new LRUCache<string | Buffer, Map<CompressedEncoding, Promise<Buffer | undefined>>>({
    max: maxPublicAnswers,
  });
  addHook(app, (_request, encoding, body) => {
    if (body.length <= smallAnswerBytes) return Promise.resolve(undefined);
    let known = answers.get(body);
    if (known === undefined) {
      known = new Map();
      answers.set(body, known);
    }
    return known.getOrInsertComputed(encoding, () => {
      const made = compressor.compress(encoding, bytesOf(body));
      // The next reader may have more luck.
      made.then(
        (compressed) => compressed ?? known.delete(encoding),
        () => known.delete(encoding),
      );
      return made;
    });
  });
}

function addHook(app: FastifyInstance, compress: Compress): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    varyByEncoding(reply);
    const accepted = acceptedEncoding(request.headers['accept-encoding']);
    const { encoding } = accepted;
    if (encoding === 'identity' || !isWorthwhile(request, reply, payload, accepted))
      return done(null, payload);
    compress(request, encoding, payload).then(
      (compressed) => {
        if (compressed === undefined) return done(null, payload);
        reply.removeHeader('content-length');
        reply.header('content-encoding', encoding);
        done(null, compressed);
      },
      // It can be sent as it is.
      () => done(null, payload),
    );
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  return payload.length > 0 && compressible.test(String(reply.getHeader('content-type')));
}

function isWorthwhile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  { identity }: AcceptedEncoding,
): boolean {
  if (method === 'HEAD' || reply.hasHeader('content-encoding')) return false;
  return !identity || Buffer.byteLength(payload) > smallAnswerBytes;
}

/** Tells caches that another client may get another body. */
function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}

function bytesOf(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** The codings that answers are sent in; of those that a client likes equally, the first here is taken. */
export const compressedEncodings = ['zstd', 'br', 'gzip'] as const;

export type CompressedEncoding = (typeof compressedEncodings)[number];
export type Encoding = CompressedEncoding | 'identity';

/** What a client accepts. */
export interface AcceptedEncoding {
  /** The best coding for an answer of some size. */
  encoding: Encoding;
  /** Whether an answer may also be sent as it is, which small ones are. */
  identity: boolean;
}

const onlyIdentity: AcceptedEncoding = { encoding: 'identity', identity: true };

/**
 * Returns the best of some codings for a client by its `Accept-Encoding` header (RFC 9110, 12.5.3): the one with the
 * highest weight, then the first. A client that accepts none of them, not even `identity`, gets answers as they are.
 */
export function acceptedEncoding(
  header: string | undefined,
  encodings: readonly CompressedEncoding[] = compressedEncodings,
): AcceptedEncoding {
  if (header === undefined || header === '') return onlyIdentity;
  const weights = weightsOf(header);
  const others = weights.get('*');
  let best: Encoding | undefined;
  let bestWeight = 0;
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? others ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  // Unless it is named, an answer as it is counts less than any coding that the client asks for.
  const identityWeight = weights.get('identity') ?? (others === 0 ? 0 : Number.MIN_VALUE);
  if (best === undefined || identityWeight > bestWeight) return onlyIdentity;
  return { encoding: best, identity: identityWeight > 0 };
}

/** Returns the weight of each coding that a header names; one that is malformed counts as refused. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const coding = name.trim().toLowerCase();
    if (coding !== '') weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameters));
  }
  return weights;
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => /^\s*q\s*=(.*)$/i.exec(parameter)?.[1]?.trim()).find(Boolean);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** Answers up to this size are not compressed: it would save one packet at most. */
export const smallAnswerBytes = 1_024;
/** Answers compressed at the same time. Node has four threads for it, which the file system and DNS need as well. */
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

type CompressWith = (
  body: InputType,
  chunkSize: number,
  done: (error: Error | null, result: Buffer) => void,
) => void;

const compressions: Record<CompressedEncoding, CompressWith> = {
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
