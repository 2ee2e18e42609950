import { removedRow } from './feed-change.ts';
import { isRemoved, noSuchDecision, removedChecksum } from './find-decision.ts';
import type { ItemWriter } from './item-writer.ts';
import type { Author } from './team-decision.ts';

/**
 * Removes a decision for good, with its versions, durably: readers are told to
 * forget it, and nobody can read or show it any more. Removing it again changes
 * nothing.
 * @throws AppError `not_found` where the team never had it, `unavailable`.
 */
export async function removeDecision(
  dependencies: { writer: ItemWriter },
  teamId: string,
  by: Author,
  decisionId: string,
): Promise<void> {
  let found = false;
  await dependencies.writer.write(teamId, {
    rowKey: decisionId,
    owner: by.handle,
    decide(current) {
      found = current !== undefined;
      if (current === undefined || isRemoved(current)) return { kind: 'unchanged' };
      return {
        kind: 'write',
        at: (place) => ({ ...removedRow(current, place), checksum: removedChecksum }),
        dropsVersions: true,
      };
    },
  });
  if (!found) throw noSuchDecision();
}
