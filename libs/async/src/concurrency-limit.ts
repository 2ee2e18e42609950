import { AppError } from '@teammemory/errors/app-error.ts';

/** How much may be under way at once. */
export interface ConcurrencyBounds {
  maxInAll: number;
  maxPerTeam: number;
}

/**
 * Takes a permit and returns the function that gives it back, to be called once.
 * @throws AppError `unavailable` where none is free.
 */
export type AcquirePermit = (teamId: string) => () => void;

/** Bounds what is under way at once, in all and per team, so that one team's clients cannot take everything. */
export interface ConcurrencyLimit {
  acquire: AcquirePermit;
  /** Permits in use. */
  inUse(): number;
}

/**
 * Makes a limit that refuses with the public message `refusal`. It refuses at once, where `p-limit` and its like
 * would queue: who is refused can go elsewhere.
 */
export function createConcurrencyLimit(
  { maxInAll, maxPerTeam }: ConcurrencyBounds,
  refusal: string,
): ConcurrencyLimit {
  const inUseByTeam = new Map<string, number>();
  let inUse = 0;
  return {
    inUse: () => inUse,
    acquire(teamId) {
      const ofTeam = inUseByTeam.get(teamId) ?? 0;
      if (inUse >= maxInAll || ofTeam >= maxPerTeam) throw new AppError('unavailable', refusal);
      inUse += 1;
      inUseByTeam.set(teamId, ofTeam + 1);
      return () => {
        inUse -= 1;
        const left = (inUseByTeam.get(teamId) ?? 0) - 1;
        if (left > 0) inUseByTeam.set(teamId, left);
        else inUseByTeam.delete(teamId);
      };
    },
  };
}
