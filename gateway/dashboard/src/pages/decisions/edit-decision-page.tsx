import { Link, useParams } from 'wouter-preact';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { decisionPath } from '../../service/paths.ts';
import { mayEdit, readDecision } from './decision.ts';
import { DecisionEditor } from './decision-editor.tsx';

/** The page on which a decision is written anew. */
export default function EditDecisionPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { value: decision, problem, reload } = useRequest((signal) => readDecision(id, signal), [id]);
  const isClosed = decision !== undefined && (decision.hidden || !mayEdit(decision));
  return (
    <Page title={t('Edit decision')} isNarrow>
      <ProblemNotice problem={problem} onRetry={reload} />
      {decision === undefined && problem === undefined && <Skeleton lines={8} />}
      {isClosed && (
        <EmptyState icon="decisions" title={t('This decision cannot be edited now')}>
          {decision.hidden ? t('It is hidden. Show it again first:') : t('Your key does not change it.')}{' '}
          <Link href={decisionPath(id)}>{decision.title}</Link>
        </EmptyState>
      )}
      {decision !== undefined && !isClosed && <DecisionEditor key={id} decision={decision} />}
    </Page>
  );
}
