import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { ErrorCode, Violation } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import {
  type AuthService,
  type MemberRefusal,
  MemberRefusalSchema,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { createServiceToken, type TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { httpAnswers } from '../http-error.ts';

/** Refusals are sent together, at most so often: a client that is refused a thousand times a second costs one call. */
const sendEveryMs = 1_000;
/** Refusals in one call. */
const maxInBatch = 200;
/** Waiting refusals of one team, so that one team does not crowd out the others. */
const maxWaitingOfTeam = 20;
/** Waiting refusals in all. */
const maxWaiting = 1_000;
const sendTimeoutMs = 5_000;
/** Faults of a request that are told. */
const maxViolations = 3;
/** Our own messages are shorter; one that quotes what a client sent is cut. */
const maxDetailCharacters = 500;

/** Why something was refused, in public words. */
export interface Reason {
  code: ErrorCode;
  message: string;
  violations?: readonly Violation[];
}

/** Notes what members are refused, so that they and their administrators can look it up. */
export interface Refusals {
  /**
   * Notes a refusal of a caller: of a request, by its method and route or its RPC, or of one item in it. Neither throws
   * nor waits. Ignores what is not there, what failed on our side, and callers that are not known; drops what is too much.
   */
  note(caller: Caller | undefined, request: string, reason: Reason, rowKey?: string): void;
  /** Sends what waits, once. */
  close(): Promise<void>;
}

/** Creates the notes of a gateway; the auth service keeps them. */
export function createRefusals(dependencies: {
  auth: Pick<Client<typeof AuthService>, 'recordRefusals'>;
  signer: TokenSigner;
  /** Milliseconds since the epoch. */
  clock: () => number;
  metrics: Metrics;
  log: Log;
}): Refusals {
  const { auth, signer, clock, metrics, log } = dependencies;
  const serviceToken = createServiceToken({ signer, clock, name: 'gateway', scopes: ['auth:read'] });
  const drop = metrics.counter('teammemory_refusals_dropped_total');
  /** By team, oldest first. */
  const waiting = new Map<string, MemberRefusal[]>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function sendSoon(): void {
    if (timer !== undefined || sending !== undefined || count === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      sending = send().finally(() => {
        sending = undefined;
        sendSoon();
      });
    }, sendEveryMs);
    timer.unref();
  }

  function takeBatch(): MemberRefusal[] {
    const batch: MemberRefusal[] = [];
    for (const [teamId, ofTeam] of waiting) {
      if (batch.length + ofTeam.length > maxInBatch) break;
      batch.push(...ofTeam);
      waiting.delete(teamId);
    }
    count -= batch.length;
    return batch;
  }

  async function send(): Promise<void> {
    const refusals = takeBatch();
    if (refusals.length === 0) return;
    try {
      const headers = { authorization: `Bearer ${await serviceToken('auth')}` };
      await auth.recordRefusals({ refusals }, { timeoutMs: sendTimeoutMs, headers });
    } catch (error) {
      drop(refusals.length);
      log.warn({ err: error, refusals: refusals.length }, 'refusals were not kept');
    }
  }

  return {
    note(caller, request, { code, message, violations = [] }, rowKey = '') {
      if (caller === undefined || !isRefusal(code)) return;
      const ofTeam = waiting.get(caller.teamId) ?? [];
      if (ofTeam.length >= maxWaitingOfTeam || count >= maxWaiting) return drop();
      ofTeam.push(refusalToProto(caller, { code, message, violations, request, rowKey, at: clock() }));
      waiting.set(caller.teamId, ofTeam);
      count += 1;
      sendSoon();
    },

    async close() {
      clearTimeout(timer);
      await sending;
      clearTimeout(timer);
      await send();
    },
  };
}

/** Faults of ours are for the log, and what is not there is everyday: a cache that asks, a page that was removed. */
function isRefusal(code: ErrorCode): boolean {
  const { status } = httpAnswers[code];
  return status >= 400 && status < 500 && status !== 401 && status !== 404;
}

function refusalToProto(
  { teamId, memberId, memberHandle, keyId }: Caller,
  {
    request,
    code,
    message,
    violations = [],
    rowKey,
    at,
  }: Reason & { request: string; rowKey: string; at: number },
): MemberRefusal {
  const faults = violations
    .slice(0, maxViolations)
    .map((fault) => ` ${fault.pointer.slice(1)} ${fault.detail}.`);
  const detail = `${message}${faults.join('')}`.slice(0, maxDetailCharacters).toWellFormed();
  return create(MemberRefusalSchema, {
    teamId,
    memberId,
    refusal: {
      at: timestampFromMs(at),
      memberHandle,
      keyId,
      request,
      code,
      detail,
      // The name of a private item is private, too.
      rowKey: code === 'admin_tier' ? '' : rowKey.toWellFormed(),
    },
  });
}
