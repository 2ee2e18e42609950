import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createAddressRules } from '@teammemory/admission/outbound/addresses.ts';
import { createPinnedLookup, type ResolveAddresses } from '@teammemory/admission/outbound/pinned-lookup.ts';
import { untilAborted } from '@teammemory/async/bounded-wait.ts';
import { createLru } from '@teammemory/async/lru.ts';
import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { z } from 'zod';

/** The draft of client-id metadata documents recommends this bound. */
const maxDocumentBytes = 5 * 1024;
const maxHeaderBytes = 16 * 1024;
const fetchTimeoutMs = 5_000;
const [minuteMs, hourMs] = [60_000, 60 * 60_000];
/** How long a document is kept, whatever its server says, and used while its server does not answer. */
const [minFreshMs, maxFreshMs, maxStaleMs] = [5 * minuteMs, 24 * hourMs, 7 * 24 * hourMs];
const maxDocuments = 1_000;
const maxClientIdCharacters = 512;

/** Who an app says it is: what its document says, and whose word that is. */
export interface ClientDocument {
  clientId: string;
  /** The host that the document was fetched from: the only thing about the app that is proven. Null: it registered itself. */
  host: string | null;
  name: string | undefined;
  redirectUris: readonly string[];
}

/** Finds the documents of clients. */
export interface ClientDocuments {
  /** Returns the document at a client id. @throws AppError `invalid_request`, a sentence for people. */
  find(clientId: string): Promise<ClientDocument>;
}

interface Kept {
  document: ClientDocument;
  /** By the clock that never goes back. */
  freshUntilMs: number;
  staleUntilMs: number;
}

/** A name without line breaks and without what turns the writing around: so none says something in the words of the page. */
export const appName = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must have no invisible characters');
export const redirectUris = z.array(z.string().min(1).max(2_048)).min(1).max(20);

const documentSchema = z.object({
  client_id: z.string(),
  client_name: appName.optional(),
  redirect_uris: redirectUris,
  // Whoever has a secret or a key to prove itself with would not be asked for it here.
  token_endpoint_auth_method: z.literal('none').optional(),
});

/** A server's answer that there is no document for now: one that was fetched before is used no more. */
class NoDocument extends Error {}

/**
 * Makes the finder of documents. A document is fetched by this gateway from an address that whoever asks has chosen, so only
 * public addresses are called, over https, without following redirects; `allowedAddresses` are ranges of private ones,
 * which are called over http too.
 */
export function createClientDocuments({
  allowedAddresses,
  monotonicClock,
  resolve,
}: {
  allowedAddresses: readonly string[];
  /** Milliseconds that never go back. */
  monotonicClock: () => number;
  resolve?: ResolveAddresses;
}): ClientDocuments {
  const rules = createAddressRules(allowedAddresses);
  const lookupFor = createPinnedLookup({ rules, ...(resolve && { resolve }) });
  const kept = createLru<Kept>(maxDocuments);

  async function load(url: URL): Promise<Kept> {
    const signal = AbortSignal.timeout(fetchTimeoutMs);
    const lookup = await untilAborted(lookupFor(url), signal);
    if (lookup === undefined) throw new Error('its name has no address that may be called');
    const { bytes, maxAgeMs } = await get(url, { lookup, signal });
    const now = monotonicClock();
    return {
      document: documentFrom(bytes, url),
      freshUntilMs: now + Math.min(Math.max(maxAgeMs, minFreshMs), maxFreshMs),
      staleUntilMs: now + maxStaleMs,
    };
  }

  /** Fetches a document, once for all who wait for it; one that was fetched before is used while its server is away. */
  const refresh = createSingleFlight(
    async (clientId: string): Promise<ClientDocument> => {
      const known = kept.get(clientId);
      try {
        const loaded = await load(new URL(clientId));
        kept.set(clientId, loaded);
        return loaded.document;
      } catch (cause) {
        const isAway = !(cause instanceof NoDocument);
        if (isAway && known !== undefined && monotonicClock() < known.staleUntilMs) return known.document;
        kept.delete(clientId);
        throw new AppError(
          'invalid_request',
          'The document of the app could not be read, or is none: it must be JSON of at most 5 KB at the https address that the app has as its client_id.',
          { cause },
        );
      }
    },
    { forBursts: true },
  );

  return {
    async find(clientId) {
      checkClientId(clientId, rules.allowsHttp);
      const known = kept.get(clientId);
      if (known !== undefined && monotonicClock() < known.freshUntilMs) return known.document;
      return refresh.run(clientId);
    },
  };
}

/** @throws AppError `invalid_request` unless a client id is the address of a document, in the one way of writing it. */
function checkClientId(clientId: string, allowsHttp: boolean): void {
  const url = clientId.length > maxClientIdCharacters ? null : URL.parse(clientId);
  const isAddress =
    url !== null &&
    url.href === clientId &&
    (url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:')) &&
    url.pathname !== '/' &&
    url.hash === '' &&
    !clientId.includes('#') &&
    url.username === '' &&
    url.password === '';
  if (isAddress) return;
  throw new AppError('invalid_request', 'The client_id must be the https address of a document of the app.');
}

/** @throws NoDocument. */
function documentFrom(bytes: Buffer, { href: clientId, host }: URL): ClientDocument {
  let parsed: z.output<typeof documentSchema>;
  try {
    parsed = documentSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new NoDocument('it is no document of a client', { cause });
  }
  if (parsed.client_id !== clientId) throw new NoDocument('it is the document of another client');
  return { clientId, host, name: parsed.client_name || undefined, redirectUris: parsed.redirect_uris };
}

/** Fetches bytes and how long their server lets them be kept. @throws NoDocument, and others while the server is away. */
function get(
  url: URL,
  { lookup, signal }: { lookup: LookupFunction; signal: AbortSignal },
): Promise<{ bytes: Buffer; maxAgeMs: number }> {
  const options = {
    lookup,
    signal,
    agent: false as const,
    headers: { accept: 'application/json' },
    maxHeaderSize: maxHeaderBytes,
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest =
      url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('response', (response) => {
      read(response).then(resolve, (error: Error) => {
        request.destroy();
        reject(error);
      });
    });
    request.on('error', reject);
    request.end();
  });
}

async function read(response: IncomingMessage): Promise<{ bytes: Buffer; maxAgeMs: number }> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 500 || statusCode === 429) throw new Error(`answered with status ${statusCode}`);
  if (statusCode !== 200) throw new NoDocument(`answered with status ${statusCode}`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    throw new NoDocument('no JSON');
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxDocumentBytes) throw new NoDocument('more than 5 KB');
    parts.push(part);
  }
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(headers['cache-control'] ?? '')?.[1] ?? '0';
  return { bytes: Buffer.concat(parts), maxAgeMs: Number(seconds) * 1000 };
}
