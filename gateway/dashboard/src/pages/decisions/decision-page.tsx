import { useState } from 'preact/hooks';
import { Link, useLocation, useParams, useSearchParams } from 'wouter-preact';
import { Badge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Day, When } from '../../components/time.tsx';
import { draftOf } from '../../data/drafts.ts';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { decisionPath, projectPath } from '../../service/paths.ts';
import { isTeamMember } from '../../service/session.ts';
import { type Decision, draftNameOf, mayEdit, readDecision, setHidden } from './decision.ts';
import { ConfirmDecision } from './decision-editor.tsx';
import { DecisionHistory } from './decision-history.tsx';
import styles from './decision-page.module.css';
import { StatusBadge } from './status-badge.tsx';

/** One decision: its text, and for members of the team what it was before. */
export default function DecisionPage() {
  const { id = '' } = useParams<{ id: string }>();
  const [parameters, setParameters] = useSearchParams();
  const { value: decision, problem, reload } = useRequest((signal) => readDecision(id, signal), [id]);
  const isHistory = parameters.get('view') === 'history' && isTeamMember();
  if (problem?.code === 'not_found') {
    return (
      <Page title={t('Decision')} isNarrow>
        <EmptyState icon="decisions" title={t('There is no such decision')}>
          {t('It may have been removed or hidden. <link>All decisions</link>', {
            link: (words) => <Link href="/decisions">{words}</Link>,
          })}
        </EmptyState>
      </Page>
    );
  }
  if (decision === undefined) {
    return (
      <Page title={t('Decision')} isNarrow>
        <ProblemNotice problem={problem} onRetry={reload} />
        {problem === undefined && <Skeleton lines={8} />}
      </Page>
    );
  }
  return (
    <Page
      title={decision.title}
      isNarrow
      actions={mayEdit(decision) && <Actions decision={decision} onChanged={reload} />}
    >
      <Facts decision={decision} />
      <ProblemNotice problem={problem} onRetry={reload} />
      {decision.hidden && (
        <Notice tone="warn">
          <p>
            {t(
              'This decision is hidden. Nobody finds it in lists, answers or searches until it is shown again.',
            )}
          </p>
        </Notice>
      )}
      {isTeamMember() && (
        <Tabs
          label={t('What to see of the decision')}
          tabs={[
            { name: 'text', label: t('Text') },
            { name: 'history', label: t('History') },
          ]}
          selected={isHistory ? 'history' : 'text'}
          onSelect={(view) => setParameters(view === 'text' ? [] : [['view', view]], { replace: true })}
        />
      )}
      {isHistory ? (
        <DecisionHistory decision={decision} />
      ) : (
        <section class={styles.body} aria-label={t('Text')}>
          <h2 class="visually-hidden">{t('Text')}</h2>
          {decision.body.trim() === '' ? (
            <p class={styles.quiet}>{t('This decision has no text, only its title.')}</p>
          ) : (
            <Markdown text={decision.body} />
          )}
        </section>
      )}
    </Page>
  );
}

function Facts({ decision }: { decision: Decision }) {
  const { status, audience, project, decided_on, updated_at, updated_by, hidden } = decision;
  return (
    <div class={styles.facts}>
      <StatusBadge status={status} />
      {hidden && <Badge tone="warn">{t('Hidden')}</Badge>}
      {isTeamMember() && <TierBadge tier={audience} />}
      {project !== null &&
        (isTeamMember() ? <Link href={projectPath(project)}>{project}</Link> : <span>{project}</span>)}
      {decided_on !== null && <span>{t('decided on {day}', { day: <Day value={decided_on} /> })}</span>}
      <span>{t('written by {updated_by}, {when}', { updated_by, when: <When at={updated_at} /> })}</span>
    </div>
  );
}

function Actions({ decision, onChanged }: { decision: Decision; onChanged: () => void }) {
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const change = useAction(async (hidden: boolean) => {
    await setHidden(decision, hidden);
    setAsks(false);
    onChanged();
  });
  const close = () => {
    setAsks(false);
    change.reset();
  };
  const show = () => (decision.audience === 'external' ? setAsks(true) : change.run(false));
  if (decision.hidden) {
    return (
      <>
        <Button kind="primary" isBusy={change.isRunning} onClick={show}>
          {t('Show again')}
        </Button>
        <ProblemNotice problem={change.problem} />
        {asks && <ConfirmDecision fields={decision} onClose={close} onConfirm={() => change.run(false)} />}
      </>
    );
  }
  return (
    <>
      <Button icon="hide" onClick={() => setAsks(true)}>
        {t('Hide')}
      </Button>
      <Button
        kind="primary"
        icon="edit"
        onClick={() => navigate(`${decisionPath(decision.decision_id)}/edit`)}
      >
        {draftOf(draftNameOf(decision.decision_id)) === undefined ? t('Edit') : t('Go on writing')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('Hide this decision?')}
          confirm={t('Hide')}
          isBusy={change.isRunning}
          problem={change.problem}
          onClose={close}
          onConfirm={() => change.run(true)}
        >
          <p>
            {t(
              'Every reader loses sight of {title}, and so do lists, answers and searches. Its text is kept: you find it under the status “Hidden” and can show it again.',
              { title: <strong>{decision.title}</strong> },
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
