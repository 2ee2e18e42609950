import type { DescMethod } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../auth/principal.ts';
import { connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';
import { createMinuteCount, type MinuteCount } from './minute-count.ts';

const mebibyte = 1024 * 1024;
/**
 * Bytes of requests and unread answers that calls under way may hold. A key
 * has room for eight of the largest messages that it may send; an address for
 * four such keys, for a proxy brings many; all together for two such addresses.
 */
const maxHeldBytes = { key: 32 * mebibyte, address: 128 * mebibyte, all: 256 * mebibyte };
/** Calls under way of one key: as many streams as a connection of it has. */
const maxCallsPerKey = 100;
/** Calls under way without a token, which take milliseconds: of one address, and of all. */
const maxOpenCalls = { address: 128, all: 512 };
/** Limits on a key's refused calls in a minute. Above them, nothing more of the key is read. */
const refusedPerMinute = { calls: 120, bytes: 64 * mebibyte };
/** Keys whose counts are kept; with more, those that called longest ago begin anew. */
const keysKept = 20_000;
/** When a call is worth trying again for which there was no room. */
const retryAfterSeconds = 1;

/** Who makes a call, as far as it is known from its headers. */
export interface CallOrigin {
  /** Undefined where the method needs no token, and where another part is to find out. */
  principal: Principal | undefined;
  /** Whether the method needs no token. */
  isOpen: boolean;
  /** Address of the caller; undefined if another part passes the call on. */
  address: string | undefined;
  method: DescMethod;
}

/** What a call under way takes of the budgets. */
export interface CallCharge {
  /** Takes note of bytes that the call holds. @throws ConnectError where there is no room for them. */
  hold(bytes: number): void;
  /**
   * Takes note of bytes that are there already, as those of its answer are: nothing more is begun until they are
   * read. Less than 0: of bytes that are gone.
   */
  note(bytes: number): void;
  /** Counts a call refused for its content against its key. */
  refused(reason: RefusalReason): void;
  /** Ends the call and frees everything it held. Call it once. */
  end(): void;
}

export type RefusalReason = 'too_large' | 'too_many_elements' | 'invalid' | 'denied' | 'rate' | 'no_room';

export interface CallBudgets {
  /**
   * Begins a call before anything of its message is read.
   * @throws ConnectError `resource_exhausted`, code `rate_limited` with `retry-after`, where the key has used up its
   *   calls of the minute or was refused too much, or where too much is under way.
   */
  begin(call: CallOrigin): CallCharge;
}

interface KeyCounts {
  calls: Map<string, MinuteCount>;
  refusedCalls: MinuteCount;
  refusedBytes: MinuteCount;
}

/**
 * Makes the budgets of one listener, in memory: they protect this process.
 * Calls of the installation's own parts are counted by nothing here; what their
 * callers may do is bounded where those come in.
 */
export function createCallBudgets({
  clock,
  metrics,
}: {
  /** Milliseconds that never go back. */
  clock: () => number;
  metrics?: Metrics | undefined;
}): CallBudgets {
  const counts = new LRUCache<string, KeyCounts>({ max: keysKept });
  const held = createHeld();
  const countRefusal = refusalCounters(metrics);
  metrics?.gauge('teammemory_rpc_held_bytes', () => held.all());

  function countsOf(key: string): KeyCounts {
    let known = counts.get(key);
    if (known === undefined) {
      known = {
        calls: new Map(),
        refusedCalls: createMinuteCount(clock),
        refusedBytes: createMinuteCount(clock),
      };
      counts.set(key, known);
    }
    return known;
  }

  function refuse(reason: RefusalReason, code: ErrorCode, message: string, afterSeconds?: number): never {
    countRefusal(reason);
    throw withRetryAfter(connectErrorFrom(new AppError(code, message)), afterSeconds);
  }

  /** Counts the call, where its key may make it. */
  function countCall(key: string, { principal, method }: CallOrigin): KeyCounts {
    const ofKey = countsOf(key);
    // A script of the administrator that keeps failing must not lock the administrator out.
    if (principal?.kind === 'administrator') return ofKey;
    const waitSeconds = Math.max(
      ofKey.refusedCalls.waitSeconds(refusedPerMinute.calls),
      ofKey.refusedBytes.waitSeconds(refusedPerMinute.bytes),
    );
    if (waitSeconds > 0) {
      refuse('rate', 'rate_limited', 'Too many calls of this key were refused within a minute.', waitSeconds);
    }
    if (principal?.kind !== 'member') return ofKey;
    const most = limitsOf(method).memberCallsPerMinute;
    const name = `${method.parent.typeName}/${method.name}`;
    const calls = ofKey.calls.get(name) ?? createMinuteCount(clock);
    const callWaitSeconds = calls.waitSeconds(most);
    if (callWaitSeconds > 0) {
      const message = `This key may call ${method.name} ${most} times a minute.`;
      refuse('rate', 'rate_limited', message, callWaitSeconds);
    }
    calls.add(1);
    ofKey.calls.set(name, calls);
    return ofKey;
  }

  return {
    begin(call) {
      const key = call.principal === undefined ? undefined : keyOf(call.principal);
      if (call.principal !== undefined && key === undefined) return chargeOfPart(countRefusal);
      const ofKey = key === undefined ? undefined : countCall(key, call);
      const budgets = budgetsOf(key, call);
      const noRoom = () =>
        refuse('no_room', 'rate_limited', 'Too much of yours is under way already.', retryAfterSeconds);
      if (budgets.some((budget) => !held.hasRoom(budget))) noRoom();
      for (const budget of budgets) held.begin(budget);
      let bytes = 0;
      const add = (more: number) => {
        bytes += more;
        for (const budget of budgets) held.add(budget, more);
      };
      return {
        hold(more) {
          add(more);
          if (budgets.some(held.isOver)) noRoom();
        },
        note: add,
        refused(reason) {
          countRefusal(reason);
          ofKey?.refusedCalls.add(1);
          ofKey?.refusedBytes.add(bytes);
        },
        end() {
          for (const budget of budgets) held.end(budget, bytes);
        },
      };
    },
  };
}

/** One of those whose calls are bounded together. */
interface Budget {
  name: string;
  maxBytes: number;
  maxCalls: number;
}

function budgetsOf(key: string | undefined, { address, isOpen }: CallOrigin): Budget[] {
  const all = isOpen
    ? { name: 'all open', maxBytes: maxHeldBytes.all, maxCalls: maxOpenCalls.all }
    : { name: 'all', maxBytes: maxHeldBytes.all, maxCalls: Number.POSITIVE_INFINITY };
  const budgets = [all];
  if (key !== undefined)
    budgets.push({ name: `key ${key}`, maxBytes: maxHeldBytes.key, maxCalls: maxCallsPerKey });
  if (address !== undefined) {
    budgets.push({
      name: `${isOpen ? 'open ' : ''}address ${address}`,
      maxBytes: maxHeldBytes.address,
      maxCalls: isOpen ? maxOpenCalls.address : Number.POSITIVE_INFINITY,
    });
  }
  return budgets;
}

/** Counts calls and bytes by budget. */
function createHeld() {
  const budgets = new Map<string, { calls: number; bytes: number }>();
  const of = (name: string) => budgets.get(name) ?? { calls: 0, bytes: 0 };
  return {
    all: () => of('all').bytes + of('all open').bytes,
    hasRoom({ name, maxCalls, maxBytes }: Budget) {
      const { calls, bytes } = of(name);
      return calls < maxCalls && bytes <= maxBytes;
    },
    isOver: ({ name, maxBytes }: Budget) => of(name).bytes > maxBytes,
    begin({ name }: Budget) {
      const { calls, bytes } = of(name);
      budgets.set(name, { calls: calls + 1, bytes });
    },
    add({ name }: Budget, more: number) {
      const known = budgets.get(name);
      if (known !== undefined) known.bytes += more;
    },
    end({ name }: Budget, given: number) {
      const { calls, bytes } = of(name);
      if (calls <= 1) budgets.delete(name);
      else budgets.set(name, { calls: calls - 1, bytes: bytes - given });
    },
  };
}

/** Whose budgets a call is charged to; undefined for the installation's own parts. */
export function keyOf(principal: Principal): string | undefined {
  if (principal.kind === 'administrator') return 'administrator';
  if (principal.direct !== true) return undefined;
  return principal.kind === 'member' ? principal.caller.keyId : `service ${principal.name}`;
}

function chargeOfPart(countRefusal: (reason: RefusalReason) => void): CallCharge {
  const nothing = () => undefined;
  return { hold: nothing, note: nothing, refused: countRefusal, end: nothing };
}

/** Adds the time to try again, as HTTP does. */
function withRetryAfter(error: ConnectError, seconds: number | undefined): ConnectError {
  if (seconds !== undefined) error.metadata.set('retry-after', String(seconds));
  return error;
}

function refusalCounters(metrics: Metrics | undefined): (reason: RefusalReason) => void {
  const count = (reason: RefusalReason) => metrics?.counter('teammemory_rpc_calls_refused_total', { reason });
  const counters: Record<RefusalReason, ((by?: number) => void) | undefined> = {
    too_large: count('too_large'),
    too_many_elements: count('too_many_elements'),
    invalid: count('invalid'),
    denied: count('denied'),
    rate: count('rate'),
    no_room: count('no_room'),
  };
  return (reason) => counters[reason]?.();
}
