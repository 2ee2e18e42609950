import type { FeedItem, ItemFeed } from './feeds.ts';
import type { ItemPassages } from './passage.ts';
import type { PassageStore, StoredItem } from './passage-store.ts';
import { cutIntoPassages } from './passages.ts';

/** A feed in memory, to which a test pushes. */
export interface FeedInMemory extends ItemFeed {
  /** Moves an item to the next position and empties its former one. */
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

/** An item of the feed, named and titled after its position, with what a test wants to be different. */
export function feedItem(seq: number, content: string, changed: Partial<FeedItem> = {}): FeedItem {
  return { seq, rowKey: `notes/${seq}.md`, tier: 'team', title: `Note ${seq}`, content, ...changed };
}

/** The same item as it is stored. */
export function itemPassages(seq: number, content: string, changed: Partial<FeedItem> = {}): ItemPassages {
  const { rowKey, tier, title, content: text, fields } = feedItem(seq, content, changed);
  return { seq, rowKey, tier, title, passages: cutIntoPassages(text), ...(fields && { fields }) };
}

/** A store in memory, for tests of the domain; the contract suite holds for it too. */
export function passageStoreInMemory(): PassageStore {
  const cursors = new Map<string, number>();
  const dataIds = new Map<string, string>();
  const teams = new Map<string, Map<string, StoredItem>>();
  return {
    cursor: async (teamId) => cursors.get(teamId) ?? 0,
    async advanceCursor(teamId, seq) {
      cursors.set(teamId, Math.max(seq, cursors.get(teamId) ?? 0));
    },
    teams: async (afterTeamId, limit) =>
      [...cursors.keys()]
        .filter((teamId) => teamId > afterTeamId)
        .sort()
        .slice(0, limit),
    async claim(teamId, dataId, ahead) {
      const canStay = ahead === undefined && (dataIds.get(teamId) ?? dataId) === dataId;
      dataIds.set(teamId, dataId);
      if (!canStay) {
        teams.delete(teamId);
        cursors.delete(teamId);
      }
      return canStay;
    },
    async replaceItems(teamId, items) {
      const rows = teams.get(teamId) ?? new Map<string, StoredItem>();
      teams.set(teamId, rows);
      for (const item of items) {
        if (item.seq > (rows.get(item.rowKey)?.seq ?? 0)) rows.set(item.rowKey, structuredClone(item));
      }
    },
    async changesAfter(teamId, afterSeq, page) {
      const rows = [...(teams.get(teamId)?.values() ?? [])].filter(({ seq }) => seq > afterSeq);
      const found: StoredItem[] = [];
      let characters = 0;
      for (const item of rows.sort((left, right) => left.seq - right.seq).slice(0, page.rows)) {
        found.push(structuredClone(item));
        characters += item.json.length;
        if (characters >= page.characters) break;
      }
      return found;
    },
    async findItem(teamId, rowKey) {
      const { writerId: _, ...row } = teams.get(teamId)?.get(rowKey) ?? {};
      return 'seq' in row ? structuredClone(row as StoredItem) : undefined;
    },
    async writersOf(teamId, rowKeys) {
      const writers = new Map<string, string>();
      for (const rowKey of rowKeys) {
        const writerId = teams.get(teamId)?.get(rowKey)?.writerId;
        if (writerId !== undefined) writers.set(rowKey, writerId);
      }
      return writers;
    },
  };
}
