import { useMemo } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { plural, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember } from '../../service/session.ts';
import { type Decision, mayCreate, statuses } from './decision.ts';
import { DecisionList } from './decision-list.tsx';
import styles from './decisions-page.module.css';
import { HiddenDecisions } from './hidden-decisions.tsx';
import { statusWords } from './status-badge.tsx';

/** The team's decisions by status, project and words of their title, the latest first. */
export default function DecisionsPage() {
  const [parameters, setParameters] = useSearchParams();
  const [, navigate] = useLocation();
  const filters = {
    status: parameters.get('status') ?? '',
    project: parameters.get('project') ?? '',
    title: parameters.get('title') ?? '',
  };
  const change = (edit: Partial<typeof filters>) =>
    setParameters(
      Object.entries({ ...filters, ...edit }).filter(([, value]) => value !== ''),
      { replace: true },
    );
  const { rows, isComplete, problem, reload } = useFeed<Decision>(
    async (cursor, signal) => {
      const page = { cursor, limit: feedPageRows, includeDeleted: true };
      return (await rpc.content.listDecisions({ page }, { signal })).page;
    },
    [],
    ({ decision_id }) => decision_id,
  );
  const projects = useMemo(
    () => [...new Set(rows.flatMap(({ project }) => project ?? []))].sort((a, b) => a.localeCompare(b)),
    [rows],
  );
  const fitting = rows
    .filter(({ status }) => filters.status === '' || status === filters.status)
    .filter(({ project }) => filters.project === '' || project === filters.project)
    .filter(({ title }) => title.toLowerCase().includes(filters.title.toLowerCase()))
    .toSorted((one, other) => dayOf(other).localeCompare(dayOf(one)));
  const isEmpty = rows.length === 0 && isComplete && problem === undefined;
  const isHidden = filters.status === 'hidden' && isTeamMember();
  return (
    <Page
      title={t('Decisions')}
      description={t('What the team has decided, what it is still thinking about, and why.')}
      actions={
        mayCreate() && (
          <Button kind="primary" icon="plus" onClick={() => navigate('/decisions/new')}>
            {t('New decision')}
          </Button>
        )
      }
    >
      <form
        class={styles.filters}
        aria-label={t('Which decisions')}
        onSubmit={(event) => event.preventDefault()}
      >
        <Select
          label={t('Status')}
          value={filters.status}
          onChange={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">{t('All')}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusWords[status]}
            </option>
          ))}
          {isTeamMember() && <option value="hidden">{t('Hidden')}</option>}
        </Select>
        <Select
          label={t('Project')}
          value={filters.project}
          onChange={(event) => change({ project: event.currentTarget.value })}
        >
          <option value="">{t('All')}</option>
          {[...new Set([...projects, ...(filters.project === '' ? [] : [filters.project])])].map((slug) => (
            <option key={slug} value={slug}>
              {slug}
            </option>
          ))}
        </Select>
        <Field
          label={t('Title contains')}
          type="search"
          value={filters.title}
          onInput={(event) => change({ title: event.currentTarget.value })}
        />
      </form>
      <ProblemNotice problem={problem} onRetry={reload} />
      {rows.length === 0 && !isComplete && <Skeleton lines={8} />}
      {isHidden && isComplete && <HiddenDecisions />}
      {!isHidden && isEmpty && <NoDecisions />}
      {!isHidden && rows.length > 0 && fitting.length === 0 && isComplete && (
        <EmptyState
          icon="decisions"
          title={t('No decision fits')}
          action={
            <Button onClick={() => setParameters([], { replace: true })}>{t('Show all decisions')}</Button>
          }
        >
          {t('No decision has this status, project and title together.')}
        </EmptyState>
      )}
      <p class="visually-hidden" role="status">
        {isComplete && fitting.length > 0 ? plural(fitting.length, '1 decision', '{count} decisions') : ''}
      </p>
      {!isHidden && fitting.length > 0 && <DecisionList decisions={fitting} />}
      {rows.length > 0 && !isComplete && <Skeleton lines={2} label={t('Loading more decisions')} />}
    </Page>
  );
}

/** When it was decided, or else when it was written last. */
function dayOf({ decided_on, updated_at }: Decision): string {
  return decided_on ?? updated_at;
}

function NoDecisions() {
  const [, navigate] = useLocation();
  if (!isTeamMember()) {
    return (
      <EmptyState icon="decisions" title={t('No decisions')}>
        {t('The team has no decision that it shares with you.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="decisions"
      title={t('Nothing decided yet')}
      command={
        'tms decisions create --title "We ship weekly" --body "Every Tuesday." --audience team --status accepted'
      }
      action={
        mayCreate() && (
          <Button kind="primary" onClick={() => navigate('/decisions/new')}>
            {t('Write the first decision')}
          </Button>
        )
      }
    >
      {t(
        'Write down what was decided and why, so that nobody has to ask again. Write it here, or in a terminal:',
      )}
    </EmptyState>
  );
}
