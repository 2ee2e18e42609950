import { genesisHash, type StoredAuditEntry } from './audit-entry.ts';
import type { AuditBounds, AuditStore } from './audit-store.ts';

/** A log in memory that a test may tamper with. */
export interface MemoryAuditStore extends AuditStore {
  entries: StoredAuditEntry[];
  ends: AuditBounds | undefined;
}

export function memoryAuditStore(): MemoryAuditStore {
  const store: MemoryAuditStore = {
    entries: [],
    ends: undefined,
    bounds: async () => store.ends,
    newest: async () => store.entries.at(-1),
    async append(entries) {
      if ((entries[0]?.sequence ?? 0) <= (store.entries.at(-1)?.sequence ?? 0)) return 0;
      store.entries.push(...entries);
      const { sequence: last = 0, hash: lastHash = '' } = entries.at(-1) ?? {};
      store.ends = { first: 1, firstPreviousHash: genesisHash, ...store.ends, last, lastHash };
      return entries.length;
    },
    list: async (after, limit) => store.entries.filter(({ sequence }) => sequence > after).slice(0, limit),
    async listOfTeam(teamId, limit) {
      return store.entries
        .filter((entry) => entry.teamId === teamId)
        .reverse()
        .slice(0, limit);
    },
    firstSince: async (at) => store.entries.find((entry) => entry.at >= at),
    async removeBefore(beginning) {
      if (store.ends !== undefined) store.ends = { ...store.ends, ...beginning };
      store.entries = store.entries.filter(({ sequence }) => sequence >= beginning.first);
    },
  };
  return store;
}
