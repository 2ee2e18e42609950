import type { PermitBounds } from '@teammemory/admission/permits.ts';
import { wholeNumber } from '@teammemory/config/setting-types.ts';
import type { z } from 'zod';

/** More than a process could serve, however large its machine. */
const highest = 100_000;

/**
 * Limits on concurrent answers in one process: as the gateway, as the query service (where a search counts as one), or
 * as both. 2,000 answers that a model writes take more than a core and some 200 MiB.
 */
export const openAnswersSettings = {
  OPEN_ANSWERS: wholeNumber({ minimum: 1, maximum: highest, default: 2_000 }),
};

/** Returns the bounds that these settings describe. One team may have half, so that the others keep the other half. */
export function openAnswerBounds({
  OPEN_ANSWERS: maxInAll,
}: z.output<z.ZodObject<typeof openAnswersSettings>>): PermitBounds {
  return { maxInAll, maxPerTeam: Math.ceil(maxInAll / 2) };
}
