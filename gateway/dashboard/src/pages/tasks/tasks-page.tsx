import { TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { Badge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Day } from '../../components/time.tsx';
import { teamItems, useTeamItems } from '../../data/team-items.ts';
import { useAction } from '../../data/use-action.ts';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayChange, mayWrite, session } from '../../service/session.ts';
import type { TaskEdit } from './edit-line.ts';
import { EditTask, NewTask } from './task-dialogs.tsx';
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
  const [isAdding, setAdding] = useState(false);
  const isFiltered =
    filters.owner !== '' || filters.project !== '' || filters.dueBy !== '' || filters.status !== 'open';
  return (
    <Page
      title="Tasks"
      description="Every checkbox in the team’s task lists, in the words of the file it stands in."
      actions={
        mayWrite() && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            New task
          </Button>
        )
      }
    >
      {mayWrite() && <FollowItems />}
      {isAdding && (
        <NewTask
          items={teamItems.value}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
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

/** Whoever may write chooses a list for a new task, and whose key writes its own only is told which tasks are. */
function FollowItems() {
  useTeamItems();
  return null;
}

const statusWords = { open: 'Open', done: 'Done', cancelled: 'Cancelled' };

/** Whether who is signed in may change the text that a task stands in. */
function mayEdit({ source }: Task): boolean {
  const { access } = session.value ?? {};
  if (source.decision_id !== undefined) return isTeamMember() && access === 'write';
  if (access === 'write') return true;
  const item = teamItems.value.find(({ row_key }) => row_key === source.row_key);
  return access === 'own' && item !== undefined && mayChange(item);
}

/** The arrow keys lead from box to box, as in a list of files. */
function moveBetweenBoxes(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const box = event.currentTarget as HTMLElement;
  if (step === undefined) return;
  event.preventDefault();
  const boxes = [...document.querySelectorAll<HTMLElement>('main input[data-task]')];
  boxes[boxes.indexOf(box) + step]?.focus();
}

function TaskRow({ task: stored, isOverdue }: { task: Task; isOverdue: boolean }) {
  // The row stays in its place with what was changed until the list is read again.
  const [task, setTask] = useState(stored);
  useEffect(() => setTask(stored), [stored]);
  const [isEditing, setEditing] = useState(false);
  const { title, status, owner, due, project, tags, tier, source } = task;
  const isOpenToMe = mayEdit(stored);
  const show = (edit: TaskEdit) => {
    const { status: nextStatus = status } = edit;
    const nextOf = (name: 'owner' | 'due' | 'project') => (edit[name] ?? task[name]) || null;
    setTask({
      ...task,
      status: nextStatus,
      owner: nextOf('owner'),
      due: nextOf('due'),
      project: nextOf('project'),
    });
  };
  const tick = useAction(async () => {
    const edit = { status: status === 'open' ? 'done' : 'open' } as const;
    await (await import('./task-edits.ts')).saveTask(task, edit);
    show(edit);
  });
  const path =
    source.decision_id === undefined
      ? itemPath(source.row_key, source.line)
      : decisionPath(source.decision_id);
  const place = source.decision_id === undefined ? source.row_key : 'a decision';
  return (
    <li class={styles.task}>
      {isOpenToMe ? (
        <input
          type="checkbox"
          class={styles.box}
          data-task
          aria-label={title}
          checked={status === 'done'}
          indeterminate={status === 'cancelled'}
          aria-busy={tick.isRunning}
          onClick={(event) => {
            // It shows what is stored, not what was pressed.
            event.preventDefault();
            tick.run();
          }}
          onKeyDown={moveBetweenBoxes}
        />
      ) : (
        <span class={`${styles.state} ${styles[status]}`} role="img" aria-label={statusWords[status]} />
      )}
      <div class={styles.words}>
        <Link href={path} class={styles.title} dir="auto">
          {title}
        </Link>
        <p class={styles.place}>
          {place}
          {source.heading !== null && ` › ${source.heading}`}
        </p>
        <ProblemNotice problem={tick.problem} />
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
        {isOpenToMe && (
          <Button kind="quiet" icon="edit" aria-label={`Edit ${title}`} onClick={() => setEditing(true)} />
        )}
      </div>
      {isEditing && (
        <EditTask
          task={task}
          onClose={() => setEditing(false)}
          onDone={(edit) => {
            setEditing(false);
            show(edit);
          }}
        />
      )}
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
