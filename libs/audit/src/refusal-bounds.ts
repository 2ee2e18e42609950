import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';

const windowMs = 60 * 60 * 1_000;
/** Refused calls noted in an hour, of one caller and in one room. Neither strangers nor one team can fill the log. */
const [maxOfCaller, maxInRoom] = [10, 200];

/** Decides which refused calls are noted one by one. */
export interface RefusalBounds {
  /** Whether one more of a caller is noted; if not, it is counted. Callers of one `room` leave that of others as it is. */
  mayBeNoted(caller: string, room: string): boolean;
  /** Returns how many were only counted, and begins anew. */
  takeFurther(): number;
}

/** Creates the bounds. `clock`: milliseconds since the epoch. */
export function createRefusalBounds(clock: () => number): RefusalBounds {
  const ofCallers = createRollingWindow({ clock, limit: maxOfCaller, windowMs });
  const inRooms = createRollingWindow({ clock, limit: maxInRoom, windowMs });
  let further = 0;

  return {
    mayBeNoted(caller, room) {
      // In this order no more callers are remembered than calls are noted.
      const mayBe = inRooms.msUntilFree(room, 1) === 0 && ofCallers.take(caller) === 0;
      if (mayBe) inRooms.use(room, 1);
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
