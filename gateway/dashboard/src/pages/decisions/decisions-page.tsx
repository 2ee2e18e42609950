import { useMemo } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
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
      title="Decisions"
      description="What the team has decided, what it is still thinking about, and why."
      actions={
        mayCreate() && (
          <Button kind="primary" icon="plus" onClick={() => navigate('/decisions/new')}>
            New decision
          </Button>
        )
      }
    >
      <form class={styles.filters} aria-label="Which decisions" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Status"
          value={filters.status}
          onChange={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">All</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusWords[status]}
            </option>
          ))}
          {isTeamMember() && <option value="hidden">Hidden</option>}
        </Select>
        <Select
          label="Project"
          value={filters.project}
          onChange={(event) => change({ project: event.currentTarget.value })}
        >
          <option value="">All</option>
          {[...new Set([...projects, ...(filters.project === '' ? [] : [filters.project])])].map((slug) => (
            <option key={slug} value={slug}>
              {slug}
            </option>
          ))}
        </Select>
        <Field
          label="Title contains"
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
          title="No decision fits"
          action={<Button onClick={() => setParameters([], { replace: true })}>Show all decisions</Button>}
        >
          No decision has this status, project and title together.
        </EmptyState>
      )}
      <p class="visually-hidden" role="status">
        {isComplete && fitting.length > 0 ? `${fitting.length} decisions` : ''}
      </p>
      {!isHidden && fitting.length > 0 && <DecisionList decisions={fitting} />}
      {rows.length > 0 && !isComplete && <Skeleton lines={2} label="Loading more decisions" />}
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
      <EmptyState icon="decisions" title="No decisions">
        The team has no decision that it shares with you.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="decisions"
      title="Nothing decided yet"
      command={
        'tms decisions create --title "We ship weekly" --body "Every Tuesday." --audience team --status accepted'
      }
      action={
        mayCreate() && (
          <Button kind="primary" onClick={() => navigate('/decisions/new')}>
            Write the first decision
          </Button>
        )
      }
    >
      Write down what was decided and why, so that nobody has to ask again. Write it here, or in a terminal:
    </EmptyState>
  );
}
