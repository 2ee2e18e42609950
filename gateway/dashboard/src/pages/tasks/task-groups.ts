import { locale, t } from '../../language/language.ts';
/** A task, as the public API writes it. */
export interface Task {
  task_id: string;
  title: string;
  status: 'open' | 'done' | 'cancelled';
  owner: string | null;
  /** YYYY-MM-DD. */
  due: string | null;
  /** Slug. */
  project: string | null;
  tags: readonly string[];
  tier: 'team' | 'external';
  source: {
    row_key: string;
    /** Of a task in the body of a decision. */
    decision_id?: string;
    /** From 1, in the text as it was pushed. */
    line: number;
    heading: string | null;
  };
}

/** Tasks under one heading. */
export interface TaskGroup {
  heading: string;
  isOverdue: boolean;
  tasks: readonly Task[];
}

const titles = new Intl.Collator(locale);

/** Orders tasks by day, those without one first, and by title. */
export function compareTasks(one: Task, other: Task): number {
  const [day, otherDay] = [one.due ?? '', other.due ?? ''];
  if (day !== otherDay) return day < otherDay ? -1 : 1;
  return titles.compare(one.title, other.title);
}

/**
 * Groups tasks by when they are due: overdue, today, within the next seven days, later, without a day. Within a group
 * they keep their order. `today` is YYYY-MM-DD. Tasks that are not open are never overdue.
 */
export function groupByDue(tasks: readonly Task[], today: string): TaskGroup[] {
  const weekEnd = dayAfter(today, 7);
  const groups: { heading: string; isOverdue?: true; fits: (task: Task) => boolean }[] = [
    {
      heading: t('Overdue'),
      isOverdue: true,
      fits: ({ due, status }) => status === 'open' && due !== null && due < today,
    },
    { heading: t('Due today'), fits: ({ due }) => due === today },
    { heading: t('Due within a week'), fits: ({ due }) => due !== null && due > today && due <= weekEnd },
    { heading: t('Due later'), fits: ({ due }) => due !== null && due > weekEnd },
    { heading: t('Without a day'), fits: ({ due }) => due === null },
    // Done or cancelled, with a day that has passed.
    { heading: t('Past'), fits: () => true },
  ];
  let rest = tasks;
  return groups.flatMap(({ heading, isOverdue = false, fits }) => {
    const { fitting = [], other = [] } = Object.groupBy(rest, (task) => (fits(task) ? 'fitting' : 'other'));
    rest = other;
    return fitting.length === 0 ? [] : [{ heading, isOverdue, tasks: fitting }];
  });
}

/** The day that comes `days` days after a day, both YYYY-MM-DD. */
function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Today where the browser is, YYYY-MM-DD. */
export function todayHere(now = new Date()): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}
