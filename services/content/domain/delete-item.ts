import { AppError } from '@teammemory/errors/app-error.ts';
import { decideRemoval, type Writer } from './item-decision.ts';
import { ownerOf } from './item-owner.ts';
import type { ItemWriter } from './item-writer.ts';

/**
 * Removes an item, durably; removing it again changes nothing.
 * @throws AppError `not_found` where there never was one that the writer may
 *   see, `unavailable` when the store cannot be reached.
 */
export async function deleteItem(
  dependencies: { writer: ItemWriter },
  teamId: string,
  by: Writer,
  rowKey: string,
): Promise<void> {
  let found = false;
  await dependencies.writer.write(teamId, {
    rowKey,
    owner: ownerOf(by),
    decide(current) {
      const decision = decideRemoval(by, current);
      found = decision !== undefined;
      return decision ?? { kind: 'unchanged' };
    },
  });
  if (!found) throw new AppError('not_found', 'There is no such item.');
}
