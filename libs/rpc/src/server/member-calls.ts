import type { DescMethod } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../auth/principal.ts';
import { connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';

/** Counts kept, each of a key and a method; with more, those that called longest ago begin anew. */
const countsKept = 50_000;
/** Seconds that are counted each by itself. */
const minuteSeconds = 60;

/** Counts the calls of members who call the services themselves; calls through the gateway are counted there. */
export interface MemberCalls {
  /**
   * Counts a call before anything of its message is read.
   * @throws ConnectError `resource_exhausted`, code `rate_limited` with `retry-after`, where the key has used up its
   *   calls of the method within a minute.
   */
  count(principal: Principal | undefined, method: DescMethod): void;
}

/** Makes the counts of one process. `clock` returns milliseconds that never go back. */
export function createMemberCalls(clock: () => number): MemberCalls {
  /** Calls in each second that had some, oldest first. */
  const counts = new LRUCache<string, { second: number; calls: number }[]>({ max: countsKept });
  return {
    count(principal, method) {
      if (principal?.kind !== 'member' || principal.direct !== true) return;
      const most = limitsOf(method).memberCallsPerMinute;
      const key = `${principal.caller.keyId} ${method.parent.typeName}/${method.name}`;
      const now = Math.floor(clock() / 1_000);
      // A second counts until a minute after its end, so that no 60 seconds admit more than the limit.
      const recent = (counts.get(key) ?? []).filter(({ second }) => second >= now - minuteSeconds);
      const sum = recent.reduce((total, { calls }) => total + calls, 0);
      const [oldest] = recent;
      if (oldest !== undefined && sum >= most) {
        const message = `This key may call ${method.name} ${most} times a minute.`;
        const error = connectErrorFrom(new AppError('rate_limited', message));
        error.metadata.set('retry-after', String(oldest.second + minuteSeconds + 1 - now));
        throw error;
      }
      const last = recent.at(-1);
      if (last?.second === now) last.calls += 1;
      else recent.push({ second: now, calls: 1 });
      counts.set(key, recent);
    },
  };
}
