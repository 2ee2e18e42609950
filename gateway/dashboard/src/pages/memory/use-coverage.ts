import { CoverageState } from '@teammemory/proto/query/v1/query_pb.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { rpc } from '../../service/rpc.ts';
import { coverageWords } from './coverage.ts';

/** Items that are asked about in one call; the service takes no more. */
const maxItemsPerCall = 200;
/** Rows that scroll by are asked about together. */
const waitMs = 250;

/** What a row says of an item that a search does not find, or not all of it. */
export interface CoverageBadge {
  label: string;
  tone: 'warn' | 'bad';
}

/**
 * Finds out which items a search does not find, for the rows that come into view. `badges` has those by path and checksum;
 * items that are found have none.
 */
export function useCoverageBadges(): {
  badges: ReadonlyMap<string, CoverageBadge>;
  seen: (item: ItemSummary) => void;
} {
  const [badges, setBadges] = useState<ReadonlyMap<string, CoverageBadge>>(new Map());
  const asked = useRef(new Set<string>());
  const waiting = useRef(new Map<string, ItemSummary>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function askNow(): Promise<void> {
    timer.current = undefined;
    const batch = [...waiting.current].slice(0, maxItemsPerCall);
    for (const [key] of batch) waiting.current.delete(key);
    const byPath = new Map(batch.map(([key, { row_key }]) => [row_key, key]));
    const found = await rpc.query.listItemCoverage({ rowKeys: [...byPath.keys()] }).catch(() => undefined);
    const missing: [string, CoverageBadge][] = [];
    for (const coverage of found?.items ?? []) {
      const { label, tone } = coverageWords(coverage);
      const key = byPath.get(coverage.rowKey);
      if (coverage.state !== CoverageState.INDEXED && tone !== 'good' && key !== undefined)
        missing.push([key, { label, tone }]);
    }
    if (missing.length > 0) setBadges((before) => new Map([...before, ...missing]));
    askSoon();
  }

  function askSoon(): void {
    if (waiting.current.size === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => void askNow(), waitMs);
  }

  return {
    badges,
    seen(item) {
      const key = `${item.row_key} ${item.checksum}`;
      if (asked.current.has(key)) return;
      asked.current.add(key);
      waiting.current.set(key, item);
      askSoon();
    },
  };
}
