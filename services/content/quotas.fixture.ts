import type { Quotas } from './service.ts';

const share = { texts: 1_000, bytes: 2 ** 30 };

/** Quotas that no test meets, unless it is about them. */
export const plentyOfRoom: Quotas = {
  itemsOfTeam: share,
  itemsOfMember: share,
  itemsOfExternalMember: share,
  decisionsOfTeam: share,
  projectsOfTeam: 1_000,
};
