import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply } from 'fastify';
import { createWindowLedger, minuteMs } from '../rate-limit/window-ledger.ts';

/**
 * Requests of one key that may be refused for their body in any 60 seconds: 50 a second, more than a client sends that
 * has a fault and repeats a request for each of its rows.
 */
const maxRefusedRequests = 3_000;
/** Bytes of these requests: eight bodies of the default `MAX_BODY_BYTES`. */
const maxRefusedBytes = 64 * 1024 * 1024;
/** Of one body no more is charged: what a client declares beyond is not taken in. */
const maxChargedBytes = 16 * 1024 * 1024;

/** Refusals for what a body is: read in vain, and costing no write of the key's other limits. */
const chargedStatuses: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Counts what each key sent in vain. */
export interface RefusedRequests {
  /**
   * Refuses a request whose key has sent too much in vain; sets Retry-After.
   * @throws AppError `rate_limited`.
   */
  check(keyId: string, reply: FastifyReply): void;
  /** Charges an answer to the key, if it is a refusal of the body; of that, the bytes that it has or declares. */
  charge(keyId: string, status: number, bytes: number): void;
}

/** `clock` returns milliseconds that never go back. Each gateway counts for itself: it protects its own time. */
export function createRefusedRequests(options: { clock: () => number; metrics: Metrics }): RefusedRequests {
  const { clock, metrics } = options;
  const requests = createWindowLedger({ clock, limit: maxRefusedRequests });
  const sentBytes = createWindowLedger({ clock, limit: maxRefusedBytes });
  const raise = metrics.counter('http_refused_body_bytes_total', 'Bytes of bodies that were refused.');
  return {
    check(keyId, reply) {
      const waitMs = Math.max(
        requests.msUntilFree(keyId, 1, maxRefusedRequests),
        sentBytes.msUntilFree(keyId, 1, maxRefusedBytes),
      );
      if (waitMs === 0) return;
      reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1000)));
      const rule = `at most ${maxRefusedRequests} requests or ${maxRefusedBytes} bytes of bodies`;
      throw new AppError(
        'rate_limited',
        `Of one key ${rule} may be refused in ${minuteMs / 1000} seconds; correct the request and go on then.`,
      );
    },
    charge(keyId, status, bodyBytes) {
      if (!chargedStatuses.has(status)) return;
      const bytes = Math.min(bodyBytes, maxChargedBytes);
      raise(bytes);
      for (const [ledger, count] of [[requests, 1] as const, [sentBytes, bytes] as const]) {
        ledger.hold(keyId, count);
        ledger.settle(keyId, count, count);
      }
    },
  };
}
