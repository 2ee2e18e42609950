const hourMs = 60 * 60 * 1_000;
/** Refused calls noted in an hour: of one caller, of all who are not known, and of all who are. Strangers cannot fill the log. */
const maxOfCaller = 10;
const maxOfAll = 200;

/** Decides which refused calls are noted one by one. */
export interface RefusalBounds {
  /** Whether one more of a caller is noted; if not, it is counted. Strangers do not use up the room of those who are known. */
  mayBeNoted(caller: string, isKnown: boolean): boolean;
  /** Returns how many were only counted, and begins anew. */
  takeFurther(): number;
}

/** Creates the bounds. `clock`: milliseconds since the epoch. */
export function createRefusalBounds(clock: () => number): RefusalBounds {
  let hour = -1;
  const all = { known: 0, strangers: 0 };
  let further = 0;
  const ofCallers = new Map<string, number>();

  return {
    mayBeNoted(caller, isKnown) {
      const kind = isKnown ? 'known' : 'strangers';
      const now = Math.floor(clock() / hourMs);
      if (now !== hour) {
        hour = now;
        all.known = 0;
        all.strangers = 0;
        ofCallers.clear();
      }
      const ofCaller = ofCallers.get(caller) ?? 0;
      if (all[kind] >= maxOfAll || ofCaller >= maxOfCaller) {
        further += 1;
        return false;
      }
      all[kind] += 1;
      // At most as many callers as calls are noted.
      ofCallers.set(caller, ofCaller + 1);
      return true;
    },
    takeFurther() {
      const count = further;
      further = 0;
      return count;
    },
  };
}
