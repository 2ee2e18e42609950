import type { ItemPassages } from './passage.ts';
import type { PassageStore, StoredItem } from './passage-store.ts';
import { passagesToJson } from './passages-json.ts';

/** A store in memory, for tests of the domain; the contract suite holds for it too. */
export function passageStoreInMemory(): PassageStore {
  const cursors = new Map<string, number>();
  const teams = new Map<string, Map<string, ItemPassages>>();
  return {
    cursor: async (teamId) => cursors.get(teamId) ?? 0,
    async advanceCursor(teamId, seq) {
      cursors.set(teamId, Math.max(seq, cursors.get(teamId) ?? 0));
    },
    async replaceItems(teamId, items) {
      const rows = teams.get(teamId) ?? new Map<string, ItemPassages>();
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
        found.push({ rowKey: item.rowKey, seq: item.seq, tier: item.tier, json: passagesToJson(item) });
        characters += found.at(-1)?.json.length ?? 0;
        if (characters >= page.characters) break;
      }
      return found;
    },
  };
}
