import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';

const windowMs = 60 * 60 * 1_000;
/** Refused calls noted in an hour: of one caller, of all who are not known, and of all who are. Strangers cannot fill the log. */
const [maxOfCaller, maxOfAll] = [10, 200];

/** Decides which refused calls are noted one by one. */
export interface RefusalBounds {
  /** Whether one more of a caller is noted; if not, it is counted. Strangers do not use up the room of those who are known. */
  mayBeNoted(caller: string, isKnown: boolean): boolean;
  /** Returns how many were only counted, and begins anew. */
  takeFurther(): number;
}

/** Creates the bounds. `clock`: milliseconds since the epoch. */
export function createRefusalBounds(clock: () => number): RefusalBounds {
  const ofCallers = createRollingWindow({ clock, limit: maxOfCaller, windowMs });
  const ofAll = createRollingWindow({ clock, limit: maxOfAll, windowMs });
  let further = 0;

  return {
    mayBeNoted(caller, isKnown) {
      const kind = isKnown ? 'known' : 'strangers';
      // In this order no more callers are remembered than calls are noted.
      const mayBe = ofAll.msUntilFree(kind, 1) === 0 && ofCallers.take(caller) === 0;
      if (mayBe) ofAll.use(kind, 1);
      else further += 1;
      return mayBe;
    },
    takeFurther() {
      const count = further;
      further = 0;
      return count;
    },
  };
}
