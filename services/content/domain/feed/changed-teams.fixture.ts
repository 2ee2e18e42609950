import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { type ChangedTeams, createChangedTeams } from './changed-teams.ts';
import { storedRow } from './feed-row.fixture.ts';
import { teamHeads } from './progress.ts';

/** A process that follows all teams, with a clock that the test moves. */
export interface Follower {
  stores: ContentStores;
  changed: ChangedTeams;
  /** Looks once; returns the teams that were told of, sorted. */
  look(): Promise<string[]>;
  /** Marks a team and writes a row of it at the next position, as a process would that is killed right after. */
  write(teamId: string, rowKey?: string): Promise<void>;
  wait(milliseconds: number): void;
  errors: unknown[];
  close(): Promise<void>;
}

/** Opens stores and follows the teams in them. */
export async function follower(storage: EngineStorage): Promise<Follower> {
  const stores = await openContentStores(storage);
  const nothing = async () => undefined;
  const projection = {
    catchUp: nothing,
    forgetRemovedTasks: nothing,
    nudge: () => undefined,
    close: nothing,
  };
  const told = new Set<string>();
  const errors: unknown[] = [];
  let nowMs = 0;
  const changed = createChangedTeams({
    ...stores,
    headsOf: (teamId) => teamHeads({ ...stores, projection }, teamId),
    clock: () => nowMs,
    onError: (error) => void errors.push(error),
  });
  changed.follow((teamIds) => {
    for (const teamId of teamIds) told.add(teamId);
  });
  return {
    stores,
    changed,
    errors,
    async look() {
      told.clear();
      await changed.look();
      await changed.settled();
      return [...told].sort();
    },
    async write(teamId, rowKey = 'a.md') {
      const previous = (await stores.items.find(teamId, [rowKey])).get(rowKey);
      const { seq } = await stores.items.head(teamId);
      const row = storedRow(rowKey, seq + 1, { revision: (previous?.revision ?? 0) + 1 });
      await stores.items.append(teamId, [{ row, previous }], 0);
    },
    wait(milliseconds) {
      nowMs += milliseconds;
    },
    async close() {
      await changed.close();
      await stores.close();
    },
  };
}
