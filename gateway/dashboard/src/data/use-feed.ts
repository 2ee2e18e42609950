import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { useEffect, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../service/problem.ts';
import { useRetry } from './use-retry.ts';

const decoder = new TextDecoder();
/** The most rows that a page of a feed has. */
export const feedPageRows = 200;

/** A list of the team, read page by page. */
export interface Feed<Row> {
  /** The rows so far, in the order of their last change. */
  rows: readonly Row[];
  /** Whether all pages have been read. */
  isComplete: boolean;
  problem: Problem | undefined;
  /** Reads the list from its beginning. */
  reload(): void;
}

/**
 * Reads a feed to its end, and again whenever one of `inputs` changes. Rows show as their pages come.
 *
 * @param load returns the page at a cursor, and from the beginning at an empty one.
 */
export function useFeed<Row>(
  load: (cursor: string, signal: AbortSignal) => Promise<Page | undefined>,
  inputs: readonly unknown[],
): Feed<Row> {
  const [state, setState] = useState<Omit<Feed<Row>, 'reload'>>({
    rows: [],
    isComplete: false,
    problem: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const cancel = new AbortController();
    const read = async () => {
      const rows: Row[] = [];
      let cursor = '';
      for (;;) {
        const page = await load(cursor, cancel.signal);
        if (cancel.signal.aborted) return;
        rows.push(...rowsOf<Row>(page));
        const isComplete = page?.hasMore !== true;
        setState({ rows: [...rows], isComplete, problem: undefined });
        if (isComplete) return;
        cursor = page.nextCursor;
      }
    };
    setState({ rows: [], isComplete: false, problem: undefined });
    read().catch((thrown) => {
      if (cancel.signal.aborted) return;
      setState((before) => ({ ...before, isComplete: true, problem: problemOf(thrown) }));
    });
    return () => cancel.abort();
  }, [...inputs, attempt]);
  const reload = () => setAttempt((count) => count + 1);
  useRetry(state.problem, reload);
  return { ...state, reload };
}

/** The rows of a page, as the public API writes them. */
export function rowsOf<Row>(page: Page | undefined): Row[] {
  return page === undefined || page.rowsJson.length === 0 ? [] : JSON.parse(decoder.decode(page.rowsJson));
}
