import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { KeyHolder, TeamClients } from './key-holder.ts';

/** An answer as it came over the wire. */
export interface EncodedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  bytes: Buffer;
  /** The body without its coding. */
  text: string;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Sends a request without a body and decodes the answer itself: `fetch` would choose what it accepts, and hide what came. */
export async function encodedAnswer(
  url: string,
  acceptEncoding: string | undefined,
  options: { method?: string; reader?: { team: TeamClients; key: KeyHolder }; body?: unknown } = {},
): Promise<EncodedAnswer> {
  const { method = 'GET', reader, body } = options;
  const headers = {
    ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    ...(reader === undefined
      ? {}
      : { authorization: `Bearer ${reader.key.key}`, 'x-svc-team': reader.team.slug }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = request(url, { method, headers, signal: AbortSignal.timeout(30_000) });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>));
  const decode = decoders[answer.headers['content-encoding'] ?? ''] ?? ((plain: Buffer) => plain);
  const text = bytes.length === 0 ? '' : decode(bytes).toString();
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, text };
}
