import { createPermits, type Permits } from '@teammemory/admission/permits.ts';
import { createRollingWindow, minuteMs } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply } from 'fastify';

/** Bounds of request bodies. */
export interface BodyLimits {
  /** Bytes of the largest body of any route. */
  maxBodyBytes: number;
  budget: BodyBudget;
  refused: RefusedRequests;
}

/** The beginning of a body, which has its own room: bodies this small never wait for larger ones. */
export const smallBodyBytes = 64 * 1024;
/** The least that a small body is charged, because a request takes memory in addition to its bytes. */
const minChargeBytes = 4 * 1024;
/** Beginnings of bodies of one key. */
const maxSmallBytesOfKey = 8 * 1024 * 1024;
/** Largest allowed bodies of one key, beside their beginnings. */
const maxLargeBodiesOfKey = 3;
/** Enough bodies for every team of a busy service to wait with one, and for one team to send a few at once. */
const waiting = { max: 512, maxPerTeam: 32, maxMs: 10_000 };
/** Two heavy bodies at once keep two cores busy; more would only delay others. */
const work = { maxInAll: 2, maxPerTeam: 1, areForWork: true, waiting: { ...waiting, maxMs: 20_000 } };

/** Bounds the memory and work of request bodies, so that no client crowds out the others. */
export interface BodyBudget {
  /** Bytes of the first 64 KiB of each body. */
  small: Permits;
  /** Bytes of the rest of larger bodies. */
  large: Permits;
  /** Bytes of bodies that nobody's key stands for: those of the sign-in, which have up to 4 KiB. */
  strangers: Permits;
  /** Turns to process a heavy body, from parsing until its answer has been sent. */
  work: Permits;
}

/** Creates the budget of a gateway. */
export function createBodyBudget({ maxBodyBytes, metrics }: { maxBodyBytes: number; metrics: Metrics }) {
  const tooMany = 'Too many request bodies are being received; send the request again.';
  // The share of an address is large because all clients of a reverse proxy have the same one.
  const bytesFor = (maxPerKey: number) => {
    const [maxPerTeam, maxPerAddress, maxInAll] = [2 * maxPerKey, 3 * maxPerKey, 4 * maxPerKey];
    return createPermits({ maxInAll, maxPerAddress, maxPerTeam, maxPerKey, waiting }, tooMany);
  };
  // As many of an address, which counts as a team, as it may have untrusted connections, so that one that sends many slow
  // bodies makes nobody else wait.
  const maxOfStranger = 256 * minChargeBytes;
  const budget: BodyBudget = {
    small: bytesFor(maxSmallBytesOfKey),
    large: bytesFor(maxLargeBodiesOfKey * maxBodyBytes),
    strangers: createPermits({ maxInAll: 16 * maxOfStranger, maxPerTeam: maxOfStranger, waiting }, tooMany),
    work: createPermits(work, 'Too many large requests are being processed; send the request again.'),
  };
  const { small, large, strangers } = budget;
  metrics.gauge('teammemory_http_body_bytes', () => small.held() + large.held() + strangers.held());
  metrics.gauge('teammemory_http_bodies_waiting', () =>
    Object.values(budget).reduce((sum, permits) => sum + permits.waiting(), 0),
  );
  return budget;
}

/** Returns the budget of routes without a key, whose bodies are all small: what strangers take is never a member's. */
export function ofStrangers(budget: BodyBudget): BodyBudget {
  return { ...budget, small: budget.strangers };
}

/** Returns what the beginning of a body is charged, of which at most `maxBytes` will be read. */
export function smallCharge(declaredBytes: number | undefined, maxBytes: number): number {
  return Math.min(smallBodyBytes, Math.max(minChargeBytes, declaredBytes ?? maxBytes));
}

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
