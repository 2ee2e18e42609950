import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type AcceptedEncoding, acceptedEncoding, type CompressedEncoding } from './accept-encoding.ts';
import { type Compressor, smallAnswerBytes } from './compressor.ts';

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
