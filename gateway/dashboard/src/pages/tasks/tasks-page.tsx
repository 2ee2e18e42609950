import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { numberText, plural, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayWrite } from '../../service/session.ts';
import { EditableTaskRow } from './editable-task-row.tsx';
import { useEditableTasks } from './editable-tasks.ts';
import { logsOf, NewTask } from './task-dialogs.tsx';
import { FilterBar, fitsFilters, useTaskFilters } from './task-filters.tsx';
import { compareTasks, groupByDue, type Task, type TaskGroup, todayHere } from './task-groups.ts';
import { TaskRow } from './task-row.tsx';
import styles from './tasks-page.module.css';

/** Tasks that are shown at first, of each group if they are more, and with every "Show more". */
const [shownAtFirst, shownOfGroup, shownWithMore] = [60, 20, 50];

/** The team's tasks by words, owner, project, day and status; each leads to the line that it is. */
export default function TasksPage() {
  const { filters, address, change, reset } = useTaskFilters();
  const { rows, isComplete, problem, reload } = useFeed<Task>(
    async (cursor, signal) => {
      const page = { cursor, limit: feedPageRows, includeDeleted: true };
      return (await rpc.content.listTasks({ page }, { signal })).page;
    },
    [],
    ({ task_id }) => task_id,
  );
  const isEditable = useEditableTasks(rows);
  // What somebody changes here stays in its place until other tasks are wanted, so that it can be changed back.
  const before = useMemo(() => new Map<string, Task>(), [address]);
  const groups = useMemo(() => {
    const placed = rows.map((task) => before.get(task.task_id) ?? task);
    return groupByDue(placed.filter(fitsFilters(filters)).sort(compareTasks), todayHere());
  }, [rows, address]);
  const newest = useMemo(() => new Map(rows.map((task) => [task.task_id, task])), [rows]);
  const count = groups.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title={t('Tasks')}
      description={t('Every checkbox in the team’s task lists, in the words of the file it stands in.')}
      actions={
        mayWrite() && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('New task')}
          </Button>
        )
      }
    >
      {isAdding && (
        <NewTask
          logs={logsOf(rows.filter(isEditable))}
          knownLogs={logsOf(rows)}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            void reload();
          }}
        />
      )}
      <FilterBar filters={filters} tasks={rows} onChange={change} />
      <ProblemNotice problem={problem} onRetry={reload} />
      {count === 0 && !isComplete && <Skeleton lines={8} />}
      {count === 0 && isComplete && problem === undefined && (
        <NoTasks isFiltered={address !== ''} onReset={reset} />
      )}
      <p class="visually-hidden" role="status">
        {isComplete && count > 0 && plural(count, '1 task', '{count} tasks')}
      </p>
      {groups.map((group) => (
        <Group
          key={group.heading}
          group={group}
          shownFirst={count <= shownAtFirst ? count : shownOfGroup}
          inputs={[rows, address, isEditable]}
        >
          {(task) => {
            const shown = newest.get(task.task_id) ?? task;
            if (!isEditable(task)) return <TaskRow key={task.task_id} task={shown} />;
            const edited = () => {
              before.set(task.task_id, task);
              return reload();
            };
            return <EditableTaskRow key={task.task_id} task={shown} onEdited={edited} />;
          }}
        </Group>
      ))}
      {count > 0 && !isComplete && <Skeleton lines={2} label={t('Loading more tasks')} />}
    </Page>
  );
}

function Group({
  group: { heading, isOverdue, tasks },
  shownFirst,
  inputs,
  children,
}: {
  group: TaskGroup;
  shownFirst: number;
  /** The rows are drawn anew when one of these changes. */
  inputs: readonly unknown[];
  children: (task: Task) => ComponentChildren;
}) {
  const [more, setMore] = useState(0);
  const shown = shownFirst + more;
  const rows = useMemo(() => tasks.slice(0, shown).map(children), [...inputs, shown]);
  return (
    <section aria-label={heading}>
      <h2 class={`${styles.heading} ${isOverdue ? styles.overdue : ''}`}>
        {heading} <span class={styles.count}>{numberText(tasks.length)}</span>
      </h2>
      <ul class={styles.tasks}>{rows}</ul>
      {shown < tasks.length && (
        <Button kind="quiet" onClick={() => setMore(more + shownWithMore)}>
          {plural(Math.min(shownWithMore, tasks.length - shown), 'Show 1 more', 'Show {count} more')}
        </Button>
      )}
    </section>
  );
}

function NoTasks({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon="tasks"
        title={t('No task fits')}
        action={<Button onClick={onReset}>{t('Show all open tasks')}</Button>}
      >
        {t('No task has these words, status, owner, project and day together.')}
      </EmptyState>
    );
  }
  if (!isTeamMember()) {
    return (
      <EmptyState icon="tasks" title={t('No open tasks')}>
        {t('The team has no open task that it shares with you.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="tasks"
      title={t('No open tasks yet')}
      command={
        "printf '%s\\n' '# Tasks' '' '- [ ] Try the dashboard @me due:2026-12-31' > tasks.md && tms sync"
      }
    >
      {t(
        'A task is a checkbox in a file called tasks.md, or in a decision. Write one in a folder that is in step with the team:',
      )}
    </EmptyState>
  );
}
