import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { createFairPermits, type FairPermits } from '../fair-permits.ts';

const mebibyte = 1024 * 1024;

/** The beginning of a body, for which room is always kept: what is this small never waits for larger ones. */
export const smallBodyBytes = 64 * 1024;
/** What a small body counts at least: a request costs memory beside its bytes. */
const smallestChargeBytes = 4 * 1024;
/** How long a body may wait for room, or for its turn to be worked on, before it is refused with 503. */
const [roomWaitMs, turnWaitMs] = [10_000, 20_000];
/** Bodies that are parsed, checked and handed on at once: two keep two cores busy, and more would only hold up others. */
const [workInAll, workPerTeam] = [2, 1];
/** Enough for every team of a busy service to wait with a body, and for one to send a few at once. */
const waitingBounds = { maxWaiting: 512, maxWaitingPerTeam: 32 };

/** What bounds the bodies of requests under way, so that nobody's bodies keep those of others out. */
export interface BodyBudget {
  /** Bytes of the beginnings of bodies. */
  small: FairPermits;
  /** Bytes of the rest of bodies that are larger. */
  large: FairPermits;
  /** Turns in which a heavy body is worked on, from its parsing until its answer has left. */
  work: FairPermits;
}

/**
 * Makes the budget of a gateway: of large bodies 12 times the largest one, of which 9 from one address, 6 of one team
 * and 3 of one key. An address has so much because a reverse proxy is the address of all its clients.
 */
export function createBodyBudget(options: { maxBodyBytes: number; metrics: Metrics }): BodyBudget {
  const { maxBodyBytes, metrics } = options;
  const tooMany = 'Too many bodies are on their way at once; send this one again.';
  const budget = {
    small: createFairPermits(
      {
        inAll: 32 * mebibyte,
        perAddress: 24 * mebibyte,
        perTeam: 16 * mebibyte,
        perKey: 8 * mebibyte,
        areForWork: false,
        ...waitingBounds,
        waitMs: roomWaitMs,
      },
      tooMany,
    ),
    large: createFairPermits(
      {
        inAll: 12 * maxBodyBytes,
        perAddress: 9 * maxBodyBytes,
        perTeam: 6 * maxBodyBytes,
        perKey: 3 * maxBodyBytes,
        areForWork: false,
        ...waitingBounds,
        waitMs: roomWaitMs,
      },
      tooMany,
    ),
    work: createFairPermits(
      {
        inAll: workInAll,
        perAddress: workInAll,
        perTeam: workPerTeam,
        perKey: workPerTeam,
        areForWork: true,
        ...waitingBounds,
        waitMs: turnWaitMs,
      },
      'Too many large requests are being worked on; send this one again.',
    ),
  };
  metrics.gauge(
    'http_body_bytes',
    'Bytes of request bodies under way, as they were declared.',
    () => budget.small.held() + budget.large.held(),
  );
  metrics.gauge(
    'http_bodies_waiting',
    'Request bodies that wait for room or for their turn.',
    () => budget.small.waiting() + budget.large.waiting() + budget.work.waiting(),
  );
  return budget;
}

/** What the beginning of a body of so many bytes is charged. */
export function smallCharge(declaredBytes: number | undefined): number {
  return Math.min(smallBodyBytes, Math.max(smallestChargeBytes, declaredBytes ?? smallBodyBytes));
}
