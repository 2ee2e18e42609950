import type { DescMethod } from '@bufbuild/protobuf';
import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Principal } from '../auth/principal.ts';
import { connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';

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
  // Each method has a limit of its own. The calls of a second share a stamp, because a key may call many methods.
  const calls = createRollingWindow({ clock, limit: 0, grainMs: 1_000 });
  return {
    count(principal, method) {
      if (principal?.kind !== 'member' || principal.direct !== true) return;
      const most = limitsOf(method).memberCallsPerMinute;
      const waitMs = calls.take(`${principal.caller.keyId} ${method.parent.typeName}/${method.name}`, most);
      if (waitMs === 0) return;
      const message = `This key may call ${method.name} ${most} times a minute.`;
      const error = connectErrorFrom(new AppError('rate_limited', message));
      error.metadata.set('retry-after', String(Math.ceil(waitMs / 1_000)));
      throw error;
    },
  };
}
