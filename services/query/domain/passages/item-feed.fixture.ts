import type { FeedItem, ItemFeed } from './item-feed.ts';

/** A feed in memory, to which a test pushes. */
export interface FeedInMemory extends ItemFeed {
  /** Gives an item the next position, emptying the one it had. */
  push(teamId: string, item: Omit<FeedItem, 'seq'>): number;
}

export function feedInMemory(): FeedInMemory {
  const teams = new Map<string, { items: Map<string, FeedItem>; head: number }>();
  const teamOf = (teamId: string) => {
    const team = teams.get(teamId) ?? { items: new Map<string, FeedItem>(), head: 0 };
    teams.set(teamId, team);
    return team;
  };
  return {
    push(teamId, item) {
      const team = teamOf(teamId);
      team.head += 1;
      team.items.set(item.rowKey, { ...item, seq: team.head });
      return team.head;
    },
    async read(teamId, afterSeq, limit) {
      const { items, head } = teamOf(teamId);
      const later = [...items.values()].filter(({ seq }) => seq > afterSeq);
      return { items: later.sort((left, right) => left.seq - right.seq).slice(0, limit), headSeq: head };
    },
  };
}
