import { useMemo, useRef } from 'preact/hooks';
import { newestTimes } from '../../data/change-stream.ts';
import { readSummaries } from '../../data/item-summaries.ts';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { useRequest } from '../../data/use-request.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayChange, session } from '../../service/session.ts';
import { type Decision, mayEdit } from '../decisions/decision.ts';
import type { Task } from './task-groups.ts';

/** Returns whether who is signed in may change the text that a task stands in: all, or those that they wrote last. */
export function useEditableTasks(tasks: readonly Task[]): (task: Task) => boolean {
  const access = session.value?.access;
  const asksForDecisions = access === 'own' && isTeamMember();
  const { rows: decisions } = useFeed<Decision>(
    async (cursor, signal) => {
      if (!asksForDecisions) return undefined;
      const page = { cursor, limit: feedPageRows, includeDeleted: true };
      return (await rpc.content.listDecisions({ page }, { signal })).page;
    },
    [asksForDecisions],
    ({ decision_id }) => decision_id,
  );
  // Whoever may change every text need not know who wrote it.
  const rowKeys = access === 'own' ? [...new Set(tasks.map(({ source }) => source.row_key))].sort() : [];
  const { value: read } = useRequest(
    (signal) => readSummaries(rowKeys, signal),
    [rowKeys.join('\n'), newestTimes.value?.items],
  );
  // Those that were read before count until the others are there.
  const kept = useRef(read);
  if (read !== undefined) kept.current = read;
  const items = kept.current;
  return useMemo(() => {
    if (access === 'write') return ({ source }) => source.decision_id === undefined || isTeamMember();
    const ownItems = new Set([...(items?.values() ?? [])].filter(mayChange).map(({ row_key }) => row_key));
    const ownDecisions = new Set(decisions.filter(mayEdit).map(({ decision_id }) => decision_id));
    return ({ source }) =>
      source.decision_id === undefined ? ownItems.has(source.row_key) : ownDecisions.has(source.decision_id);
  }, [access, items, decisions]);
}
