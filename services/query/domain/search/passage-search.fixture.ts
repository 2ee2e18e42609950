import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { createTeamIndexes, type TeamIndexes } from '../index/team-indexes.ts';
import { passageStoreInMemory } from '../passages/passages.fixture.ts';
import { createPassageSearch, type FindPassages } from './passage-search.ts';

/** Indexes over feeds, held in this thread and kept in memory unless told otherwise, and the search over them. */
export function searchOver({
  passages = passageStoreInMemory(),
  host = hostInThisThread(),
  embedding,
  clock,
  ...others
}: Pick<Parameters<typeof createTeamIndexes>[0], 'feed' | 'indexWatch' | 'watch'> &
  Partial<Parameters<typeof createTeamIndexes>[0]> &
  Omit<Parameters<typeof createPassageSearch>[0], 'indexes'>): TeamIndexes & { findPassages: FindPassages } {
  const indexes = createTeamIndexes({ passages, host, ...others });
  return {
    ...indexes,
    findPassages: createPassageSearch({ indexes, embedding, ...(clock && { clock }) }),
  };
}
