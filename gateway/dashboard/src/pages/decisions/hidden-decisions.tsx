import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { feedPageRows, rowsOf } from '../../data/use-feed.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { type Decision, readDecision } from './decision.ts';
import { DecisionList } from './decision-list.tsx';

/** Hidden and removed decisions look alike in the list, so each of the newest is asked for. */
const maxAsked = 60;
const askedAtOnce = 6;

/** The decisions that are hidden from every reader, for members of the team, who may show them again. */
export function HiddenDecisions() {
  const { value, problem, reload } = useRequest(readHidden, []);
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={6} />;
  if (value.length > 0) return <DecisionList decisions={value} />;
  return (
    <EmptyState icon="hide" title={t('No decision is hidden')}>
      {t('Hide a decision on its own page. Readers lose sight of it, and it can be shown again from here.')}
    </EmptyState>
  );
}

async function readHidden(signal: AbortSignal): Promise<Decision[]> {
  const gone: string[] = [];
  let cursor = '';
  for (;;) {
    const query = { cursor, limit: feedPageRows, includeDeleted: true };
    const { page } = await rpc.content.listDecisions({ page: query }, { signal });
    const rows = rowsOf<{ decision_id: string; deleted?: true }>(page);
    gone.push(...rows.filter(({ deleted }) => deleted === true).map(({ decision_id }) => decision_id));
    if (page?.hasMore !== true) break;
    cursor = page.nextCursor;
  }
  const asked = gone.slice(-maxAsked).toReversed();
  const hidden: Decision[] = [];
  for (let first = 0; first < asked.length; first += askedAtOnce) {
    const some = asked.slice(first, first + askedAtOnce);
    const found = await Promise.all(some.map((id) => findDecision(id, signal)));
    hidden.push(...found.flatMap((decision) => (decision?.hidden ? [decision] : [])));
  }
  return hidden;
}

/** Undefined for one that was removed for good. */
async function findDecision(id: string, signal: AbortSignal): Promise<Decision | undefined> {
  try {
    return await readDecision(id, signal);
  } catch (thrown) {
    if (problemOf(thrown).code === 'not_found') return undefined;
    throw thrown;
  }
}
