import { createRollingWindow, minuteMs } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply } from 'fastify';

/**
 * Requests of one key that may be refused for their body in any 60 seconds. 50 a second is more than a faulty client
 * sends that repeats a request for each of its rows.
 */
const maxRefusedRequests = 3_000;
/** Bytes of these requests: eight bodies of the default `MAX_BODY_BYTES`. */
const maxRefusedBytes = 64 * 1024 * 1024;
/** The most that one body is charged; the gateway does not read more of a refused body. */
const maxChargedBytes = 16 * 1024 * 1024;

/** Statuses of refused bodies. They do not count against the other limits of the key. */
const chargedStatuses: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Counts the refused bodies of each key. */
export interface RefusedRequests {
  /**
   * Refuses a request if too many bodies of its key were refused; sets Retry-After.
   * @throws AppError `rate_limited`.
   */
  check(keyId: string, reply: FastifyReply): void;
  /** Charges the key for a refused body with the bytes that were received or declared. Ignores other statuses. */
  charge(keyId: string, status: number, bytes: number): void;
}

/** `clock` returns milliseconds that never go back. Each gateway counts for itself, to protect its own processor. */
export function createRefusedRequests({
  clock,
  metrics,
}: {
  clock: () => number;
  metrics: Metrics;
}): RefusedRequests {
  const requests = createRollingWindow({ clock, limit: maxRefusedRequests });
  const sentBytes = createRollingWindow({ clock, limit: maxRefusedBytes });
  const raise = metrics.counter('teammemory_http_refused_body_bytes_total');
  return {
    check(keyId, reply) {
      const waitMs = Math.max(requests.msUntilFree(keyId, 1), sentBytes.msUntilFree(keyId, 1));
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
      requests.use(keyId, 1);
      if (bytes > 0) sentBytes.use(keyId, bytes);
    },
  };
}
