import { request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { CheckedAddresses } from '@teammemory/admission/outbound/addresses.ts';
import {
  createPinnedLookup,
  createResolve,
  type ResolveAddresses,
} from '@teammemory/admission/outbound/pinned-lookup.ts';
import { untilAborted } from '@teammemory/async/bounded-wait.ts';
import type { SendEvent, SendResult } from '../domain/webhooks/send-event.ts';

/** A receiver that is given less time than this acknowledges after its work is done, which takes long. */
const sendTimeoutMs = 15_000;
/** Nothing in the answer is used but its status, so no more of it is read. */
const maxAnswerBytes = 4_096;
const maxAnswerHeaderBytes = 16_384;
/** A receiver may not postpone the next attempt by more than the longest pause between attempts. */
export const maxRetryAfterMs = 60 * 60 * 1_000;

const notAllowed: SendResult = {
  outcome: 'not_allowed',
  text: 'the name has no address that webhooks may call',
};

/**
 * Makes the sender. It resolves names itself and connects to the addresses that it has checked, so that a name cannot
 * lead elsewhere in between, and it follows no redirect and uses no proxy.
 */
export function createEventSender({
  rules,
  resolve = createResolve(),
}: {
  rules: CheckedAddresses;
  resolve?: ResolveAddresses;
}): SendEvent {
  const agent = new Agent({ keepAlive: false });
  const lookupFor = createPinnedLookup({ rules, resolve });

  return async ({ url: text, headers, body, signal, timeoutMs = sendTimeoutMs }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([signal, deadline]);
    const url = new URL(text);
    try {
      const lookup = await untilAborted(lookupFor(url), ended);
      if (lookup === undefined) return notAllowed;
      const result = await post(url, { headers, body, lookup, agent, signal: ended });
      signal.throwIfAborted();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted)
        return { outcome: 'timed_out', text: `no answer within ${timeoutMs / 1_000} seconds` };
      return { outcome: 'failed', text: textOfError(error) };
    }
  };
}

/** Sends the request and returns what its status says; throws if there is none. */
function post(
  url: URL,
  options: {
    headers: Record<string, string>;
    body: string;
    lookup: LookupFunction;
    agent: Agent;
    signal: AbortSignal;
  },
): Promise<SendResult> {
  const { headers, body, lookup, agent, signal } = options;
  const shared = { method: 'POST', headers, lookup, signal, maxHeaderSize: maxAnswerHeaderBytes };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...shared, agent })
        : requestHttp(url, { ...shared, agent: false });
    let result: SendResult | undefined;
    request.on('response', (response) => {
      result = resultOf(response.statusCode ?? 0, response.headers['retry-after']);
      let bytes = 0;
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) request.destroy();
      });
    });
    let failure: Error | undefined;
    request.on('error', (error) => {
      failure = error;
    });
    // Whatever was said counts, also by a receiver that is cut off afterwards.
    request.on('close', () => {
      if (result === undefined) reject(failure ?? new Error('closed without an answer'));
      else resolve(result);
    });
    request.end(body);
  });
}

function resultOf(status: number, retryAfter: string | undefined): SendResult {
  const text = `answered with status ${status}`;
  if (status >= 200 && status < 300) return { outcome: 'delivered', text };
  if (status === 410) return { outcome: 'gone', text };
  const retryAfterMs = retryAfterFrom(retryAfter, Date.now());
  return { outcome: 'failed', text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Returns the pause that a header `Retry-After` asks for, in seconds or as a date; undefined for none that is sensible. */
export function retryAfterFrom(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}

/** Errors of connecting, in words for the administrators of a team. */
const errorTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  ETIMEDOUT: 'the receiver could not be reached',
  EHOSTUNREACH: 'the receiver could not be reached',
  ENETUNREACH: 'the receiver could not be reached',
  CERT_HAS_EXPIRED: 'the certificate of the receiver has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the receiver is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the receiver is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the receiver is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the receiver is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the receiver is not trusted',
};

function textOfError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return errorTexts[code] ?? 'the connection failed before an answer';
}
