import type { PassageStore, StoredItem } from './passage-store.ts';

/** A store in memory, for tests of the domain; the contract suite holds for it too. */
export function passageStoreInMemory(): PassageStore {
  const cursors = new Map<string, number>();
  const teams = new Map<string, Map<string, StoredItem>>();
  return {
    cursor: async (teamId) => cursors.get(teamId) ?? 0,
    async advanceCursor(teamId, seq) {
      cursors.set(teamId, Math.max(seq, cursors.get(teamId) ?? 0));
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
        const { writerId: _, ...row } = item;
        found.push(structuredClone(row));
        characters += item.json.length;
        if (characters >= page.characters) break;
      }
      return found;
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
