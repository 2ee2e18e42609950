import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../service/problem.ts';
import { newestTimes } from './change-stream.ts';
import { useRetry } from './use-retry.ts';

const decoder = new TextDecoder();
/** The most rows that a page of a feed has. */
export const feedPageRows = 200;

/** Pages of a long list that are read before it is drawn anew. */
const pagesShownAtOnce = 10;

/** A list of the team, read page by page. */
export interface Feed<Row> {
  /** The rows so far, in the order of their last change. */
  rows: readonly Row[];
  /** Whether all pages have been read. */
  isComplete: boolean;
  problem: Problem | undefined;
  /** Reads the new rows of a list that is followed. Reads any other list, and one that failed, from its beginning. */
  reload(): Promise<void>;
}

/**
 * Reads a feed to its end, and again whenever one of `inputs` changes. Rows show as their pages come.
 *
 * @param load returns the page at a cursor, and from the beginning at an empty one.
 * @param keyOf names a row. With it the feed is followed: what changes later takes the place of the row with the same
 *   name, and rows that `load` gives as deleted leave the list.
 */
export function useFeed<Row>(
  load: (cursor: string, signal: AbortSignal) => Promise<Page | undefined>,
  inputs: readonly unknown[],
  keyOf?: (row: Row) => string,
): Feed<Row> {
  const [state, setState] = useState<Omit<Feed<Row>, 'reload'>>({
    rows: [],
    isComplete: false,
    problem: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  const readOn = useRef<() => Promise<void>>(undefined);
  useEffect(() => {
    const cancel = new AbortController();
    const byKey = new Map<unknown, Row>();
    let cursor = '';
    let reading: Promise<void> | undefined;
    /** Whether something may have changed since the reading under way began. */
    let isWanted = false;
    const readToEnd = async () => {
      for (let pages = 0; ; pages += 1) {
        const page = await load(cursor, cancel.signal);
        if (cancel.signal.aborted) return;
        const isComplete = page?.hasMore !== true;
        cursor = page?.nextCursor ?? '';
        const rows = rowsOf<Row & { deleted?: true }>(page);
        for (const row of rows) {
          const key = keyOf?.(row) ?? row;
          byKey.delete(key);
          if (row.deleted !== true) byKey.set(key, row);
        }
        const isShown = isComplete || pages % pagesShownAtOnce === 0;
        if (isShown) setState((before) => shown(before, byKey, isComplete, rows.length > 0));
        if (isComplete) return;
      }
    };
    const read = async () => {
      try {
        while (isWanted && !cancel.signal.aborted) {
          isWanted = false;
          await readToEnd();
        }
      } catch (thrown) {
        if (!cancel.signal.aborted)
          setState((before) => ({ ...before, isComplete: true, problem: problemOf(thrown) }));
      }
      reading = undefined;
    };
    readOn.current = () => {
      isWanted = true;
      reading ??= read();
      return reading;
    };
    setState({ rows: [], isComplete: false, problem: undefined });
    // A subscriber is told at once of what is known already.
    const unfollow = keyOf === undefined ? undefined : newestTimes.subscribe(() => void readOn.current?.());
    if (unfollow === undefined) void readOn.current();
    return () => {
      unfollow?.();
      cancel.abort();
    };
  }, [...inputs, attempt]);
  const reload = async () => {
    if (keyOf !== undefined && state.problem === undefined) return readOn.current?.();
    setAttempt((count) => count + 1);
  };
  useRetry(state.problem, reload);
  return { ...state, reload };
}

/** Returns the state after a page was read: the same object where the page has nothing new, so that nothing is drawn again. */
function shown<Row>(
  before: Omit<Feed<Row>, 'reload'>,
  byKey: ReadonlyMap<unknown, Row>,
  isComplete: boolean,
  isNew: boolean,
): Omit<Feed<Row>, 'reload'> {
  const isSame = !isNew && before.problem === undefined && before.isComplete === isComplete;
  return isSame ? before : { rows: [...byKey.values()], isComplete, problem: undefined };
}

/** The rows of a page, as the public API writes them. */
export function rowsOf<Row>(page: Page | undefined): Row[] {
  return page === undefined || page.rowsJson.length === 0 ? [] : JSON.parse(decoder.decode(page.rowsJson));
}
