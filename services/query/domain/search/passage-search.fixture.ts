import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { TeamIndexes, type TeamIndexParts } from '../index/team-indexes.ts';
import { passageStoreInMemory } from '../passages/passages.fixture.ts';
import { createPassageSearch, type FindPassages } from './passage-search.ts';

/** Indexes over feeds, held in this thread and kept in memory unless told otherwise, and the search over them. */
export function searchOver({
  passages = passageStoreInMemory(),
  host = hostInThisThread(),
  embedding,
  clock,
  ...others
}: Pick<TeamIndexParts, 'feed' | 'indexWatch' | 'watch'> &
  Partial<TeamIndexParts> &
  Omit<Parameters<typeof createPassageSearch>[0], 'indexes'>): TeamIndexes & { findPassages: FindPassages } {
  const indexes = new TeamIndexes({ passages, host, ...others });
  return Object.assign(indexes, {
    findPassages: createPassageSearch({ indexes, embedding, ...(clock && { clock }) }),
  });
}
