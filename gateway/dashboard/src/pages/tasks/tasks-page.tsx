import { TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { useMemo, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { Badge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Day } from '../../components/time.tsx';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, session } from '../../service/session.ts';
import { groupByDue, type Task, type TaskGroup, todayHere } from './task-groups.ts';
import styles from './tasks-page.module.css';

/** Tasks of a group that are shown at first, and with every "Show more". */
const shownAtOnce = 100;

const statuses: Readonly<Record<string, TaskStatus>> = {
  open: TaskStatus.OPEN,
  done: TaskStatus.DONE,
  cancelled: TaskStatus.CANCELLED,
  all: TaskStatus.UNSPECIFIED,
};

/** The filters, as the address of the page has them, so that a link leads to the same list. */
interface Filters {
  status: string;
  owner: string;
  project: string;
  dueBy: string;
}

/** The team's tasks by owner, project, day and status; each leads to the line that it is. */
export default function TasksPage() {
  const [parameters, setParameters] = useSearchParams();
  const filters: Filters = {
    status: parameters.get('status') ?? 'open',
    owner: parameters.get('owner') ?? '',
    project: parameters.get('project') ?? '',
    dueBy: parameters.get('due_by') ?? '',
  };
  const change = (edit: Partial<Filters>) => {
    const { status, owner, project, dueBy } = { ...filters, ...edit };
    const next = { status: status === 'open' ? '' : status, owner, project, due_by: dueBy };
    setParameters(
      Object.entries(next).filter(([, value]) => value !== ''),
      { replace: true },
    );
  };
  const { rows, isComplete, problem, reload } = useFeed<Task>(
    async (cursor, signal) => {
      const { status, dueBy, ...names } = filters;
      const filter = { status: statuses[status] ?? TaskStatus.OPEN, dueBy, ...names };
      return (await rpc.content.listTasks({ page: { cursor, limit: feedPageRows }, filter }, { signal }))
        .page;
    },
    [filters.status, filters.owner, filters.project, filters.dueBy],
  );
  const groups = useMemo(() => groupByDue(rows, todayHere()), [rows]);
  const isFiltered =
    filters.owner !== '' || filters.project !== '' || filters.dueBy !== '' || filters.status !== 'open';
  return (
    <Page
      title="Tasks"
      description="Every checkbox in the team’s task lists, in the words of the file it stands in."
    >
      <FilterBar filters={filters} onChange={change} />
      <ProblemNotice problem={problem} onRetry={reload} />
      {rows.length === 0 && !isComplete && <Skeleton lines={8} />}
      {rows.length === 0 && isComplete && problem === undefined && (
        <NoTasks isFiltered={isFiltered} onReset={() => setParameters([], { replace: true })} />
      )}
      <p class="visually-hidden" role="status">
        {isComplete && rows.length > 0 && (rows.length === 1 ? '1 task' : `${rows.length} tasks`)}
      </p>
      {groups.map((group) => (
        <Group key={group.heading} group={group} />
      ))}
      {rows.length > 0 && !isComplete && <Skeleton lines={2} label="Loading more tasks" />}
    </Page>
  );
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (edit: Partial<Filters>) => void }) {
  const own = session.value?.member ?? '';
  return (
    <form class={styles.filters} aria-label="Which tasks" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="Status"
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
      >
        <option value="open">Open</option>
        <option value="done">Done</option>
        <option value="cancelled">Cancelled</option>
        <option value="all">All</option>
      </Select>
      <Field
        label="Owner"
        value={filters.owner}
        placeholder="anybody"
        spellcheck={false}
        onChange={(event) => onChange({ owner: event.currentTarget.value.trim().replace(/^@/, '') })}
      />
      <Field
        label="Project"
        value={filters.project}
        placeholder="any"
        spellcheck={false}
        onChange={(event) => onChange({ project: event.currentTarget.value.trim().toLowerCase() })}
      />
      <Field
        label="Due on or before"
        type="date"
        value={filters.dueBy}
        onChange={(event) => onChange({ dueBy: event.currentTarget.value })}
      />
      <Button
        aria-pressed={filters.owner === own}
        onClick={() => onChange({ owner: filters.owner === own ? '' : own })}
      >
        {filters.owner === own ? 'Everybody’s' : 'Only mine'}
      </Button>
    </form>
  );
}

function Group({ group: { heading, isOverdue, tasks } }: { group: TaskGroup }) {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <section aria-label={heading}>
      <h2 class={`${styles.heading} ${isOverdue ? styles.overdue : ''}`}>
        {heading} <span class={styles.count}>{tasks.length.toLocaleString()}</span>
      </h2>
      <ul class={styles.tasks}>
        {tasks.slice(0, shown).map((task) => (
          <TaskRow key={task.task_id} task={task} isOverdue={isOverdue} />
        ))}
      </ul>
      {shown < tasks.length && (
        <Button kind="quiet" onClick={() => setShown(shown + shownAtOnce)}>
          Show {Math.min(shownAtOnce, tasks.length - shown)} more
        </Button>
      )}
    </section>
  );
}

const statusWords = { open: 'Open', done: 'Done', cancelled: 'Cancelled' };

function TaskRow({ task, isOverdue }: { task: Task; isOverdue: boolean }) {
  const { title, status, owner, due, project, tags, tier, source } = task;
  const path =
    source.decision_id === undefined
      ? itemPath(source.row_key, source.line)
      : decisionPath(source.decision_id);
  const place = source.decision_id === undefined ? source.row_key : 'a decision';
  return (
    <li class={styles.task}>
      <span class={`${styles.box} ${styles[status]}`} role="img" aria-label={statusWords[status]} />
      <div class={styles.words}>
        <Link href={path} class={styles.title}>
          {title}
        </Link>
        <p class={styles.place}>
          {place}
          {source.heading !== null && ` › ${source.heading}`}
        </p>
      </div>
      <div class={styles.facts}>
        {tags.map((tag) => (
          <Badge key={tag}>#{tag}</Badge>
        ))}
        {tier === 'external' && isTeamMember() && <TierBadge tier={tier} />}
        {project !== null &&
          (isTeamMember() ? <Link href={projectPath(project)}>{project}</Link> : <span>{project}</span>)}
        {owner !== null && <span>@{owner}</span>}
        {due !== null && (
          <span class={isOverdue ? styles.late : undefined}>
            <Day value={due} />
          </span>
        )}
      </div>
    </li>
  );
}

function NoTasks({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon="tasks"
        title="No task fits"
        action={<Button onClick={onReset}>Show all open tasks</Button>}
      >
        No task has this status, owner, project and day together.
      </EmptyState>
    );
  }
  if (!isTeamMember()) {
    return (
      <EmptyState icon="tasks" title="No open tasks">
        The team has no open task that it shares with you.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="tasks"
      title="No open tasks yet"
      command={
        "printf '%s\\n' '# Tasks' '' '- [ ] Try the dashboard @me due:2026-12-31' > tasks.md && tms sync"
      }
    >
      A task is a checkbox in a file called tasks.md, or in a decision. Write one in a folder that is in step
      with the team:
    </EmptyState>
  );
}
