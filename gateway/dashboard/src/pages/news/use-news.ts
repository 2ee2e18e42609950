import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { newestTimes } from '../../data/change-stream.ts';
import { feedPageRows, rowsOf } from '../../data/use-feed.ts';
import { type Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { connection } from '../../service/session.ts';
import { type Change, decisionChange, itemChange, taskChange } from './news-days.ts';

const dayMs = 24 * 60 * 60_000;
/** How far back one looks at first, and with each "Show earlier"; the last is the beginning. */
const spans = [7 * dayMs, 30 * dayMs, Number.POSITIVE_INFINITY];

interface List {
  read(page: object, signal: AbortSignal): Promise<Page | undefined>;
  changesOf(page: Page | undefined): Change[];
}

const lists: readonly List[] = [
  {
    read: async (page, signal) =>
      (await rpc.content.listItems({ page: { ...page, includeDeleted: true }, summary: true }, { signal }))
        .page,
    changesOf: (page) => rowsOf<Parameters<typeof itemChange>[0]>(page).map(itemChange),
  },
  {
    read: async (page, signal) => (await rpc.content.listTasks({ page }, { signal })).page,
    changesOf: (page) => rowsOf<Parameters<typeof taskChange>[0]>(page).map(taskChange),
  },
  {
    read: async (page, signal) =>
      (await rpc.content.listDecisions({ page: { ...page, includeDeleted: true } }, { signal })).page,
    changesOf: (page) => rowsOf<Parameters<typeof decisionChange>[0]>(page).map(decisionChange),
  },
];

/** What changed lately. */
export interface News {
  changes: readonly Change[];
  isComplete: boolean;
  problem: Problem | undefined;
  /** Looks further back; undefined where everything is shown. */
  showEarlier: (() => void) | undefined;
  retry(): void;
}

/** Reads what changed in the last days, and goes on reading while the page is open. */
export function useNews(): News {
  const [span, setSpan] = useState(0);
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const [state, setState] = useState<Pick<News, 'changes' | 'isComplete' | 'problem'>>({
    changes: [],
    isComplete: false,
    problem: undefined,
  });
  const reading = useRef<{ span: number; cursors: string[]; byKey: Map<string, Change> } | undefined>(
    undefined,
  );
  useEffect(() => {
    const cancel = new AbortController();
    const { signal } = cancel;
    if (reading.current?.span !== span)
      reading.current = { span, cursors: lists.map(() => ''), byKey: new Map() };
    const { cursors, byKey } = reading.current;
    const ageMs = spans[span] ?? Number.POSITIVE_INFINITY;
    const since = Number.isFinite(ageMs) ? { since: timestampFromDate(new Date(Date.now() - ageMs)) } : {};
    const readList = async ({ read, changesOf }: List, index: number) => {
      for (let hasMore = true; hasMore; ) {
        const page = await read({ cursor: cursors[index], ...since, limit: feedPageRows }, signal);
        if (signal.aborted) return;
        for (const change of changesOf(page)) byKey.set(change.key, change);
        cursors[index] = page?.nextCursor ?? '';
        hasMore = page?.hasMore === true;
      }
    };
    Promise.all(lists.map(readList)).then(
      () => {
        if (signal.aborted) return;
        // A quiet week says nothing: look further back by oneself.
        if (byKey.size === 0 && span < spans.length - 1) setSpan(span + 1);
        else setState({ changes: [...byKey.values()], isComplete: true, problem: undefined });
      },
      (thrown) => {
        if (!signal.aborted) setState((before) => ({ ...before, problem: problemOf(thrown) }));
      },
    );
    return () => cancel.abort();
  }, [span, attempt, newestTimes.value, connection.value === 'open']);
  const showEarlier = span < spans.length - 1 ? () => setSpan(span + 1) : undefined;
  return { ...state, showEarlier, retry: () => retry(undefined) };
}
