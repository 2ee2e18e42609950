import { AppError } from '@teammemory/errors/app-error.ts';

/** How many of something may be under way at once: in this process, and of one team, whose clients may run wild. */
export interface PlacesMax {
  inAll: number;
  ofTeam: number;
}

/**
 * Takes a place and answers what gives it back, to be called once.
 * @throws AppError `unavailable` where none is free.
 */
export type TakePlace = (teamId: string) => () => void;

/** Bounds what is under way; `refusal` tells those who find no place, and `taken` how many there are. */
export function teamPlaces(max: PlacesMax, refusal: string): { take: TakePlace; taken: () => number } {
  const takenByTeam = new Map<string, number>();
  let taken = 0;
  return {
    taken: () => taken,
    take(teamId) {
      const ofTeam = takenByTeam.get(teamId) ?? 0;
      if (taken >= max.inAll || ofTeam >= max.ofTeam) throw new AppError('unavailable', refusal);
      taken += 1;
      takenByTeam.set(teamId, ofTeam + 1);
      return () => {
        taken -= 1;
        const left = (takenByTeam.get(teamId) ?? 0) - 1;
        if (left > 0) takenByTeam.set(teamId, left);
        else takenByTeam.delete(teamId);
      };
    },
  };
}
