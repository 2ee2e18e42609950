import { comparableOwner } from '@teammemory/vocabulary/task.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Field, Select } from '../../components/field.tsx';
import { t } from '../../language/language.ts';
import { session } from '../../service/session.ts';
import type { Task } from './task-groups.ts';
import styles from './tasks-page.module.css';

/** Names that a choice has: those with the most tasks. Nobody looks through a longer one. */
const maxChoices = 200;
/** Whoever types faster is shown one list. */
const typingMs = 150;

/** Which tasks are shown; an empty text wants all. */
export interface TaskFilters {
  /** Each must occur in the task, or in what is said beside it. */
  words: string;
  status: string;
  /** Without its @. */
  owner: string;
  /** Slug. */
  project: string;
  /** YYYY-MM-DD: due on it or before. */
  dueBy: string;
}

/** The filters, as the address of the page has them, so that a link, Back and a reload lead to the same list. */
export function useTaskFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters: TaskFilters = {
    words: parameters.get('q') ?? '',
    status: parameters.get('status') ?? 'open',
    owner: parameters.get('owner') ?? '',
    project: parameters.get('project') ?? '',
    dueBy: parameters.get('due_by') ?? '',
  };
  const change = (edit: Partial<TaskFilters>) => {
    const { words, status, owner, project, dueBy } = { ...filters, ...edit };
    const next = { q: words, status: status === 'open' ? '' : status, owner, project, due_by: dueBy };
    setParameters(
      Object.entries(next).filter(([, value]) => value !== ''),
      { replace: true },
    );
  };
  return {
    filters,
    address: parameters.toString(),
    change,
    reset: () => setParameters([], { replace: true }),
  };
}

/** Returns whether a task is one of those that are wanted. */
export function fitsFilters({ words, status, owner, project, dueBy }: TaskFilters): (task: Task) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const ownerWanted = comparableOwner(owner);
  return (task) =>
    (status === 'all' || task.status === status) &&
    (owner === '' || comparableOwner(task.owner ?? '') === ownerWanted) &&
    (project === '' || task.project === project) &&
    (dueBy === '' || (task.due !== null && task.due <= dueBy)) &&
    (wanted.length === 0 || hasWords(task, wanted));
}

function hasWords({ title, owner, project, tags, source }: Task, words: readonly string[]): boolean {
  const said = [title, owner, project, ...tags, source.row_key, source.heading].join(' ').toLowerCase();
  return words.every((word) => said.includes(word));
}

/** Fields that say which tasks are shown. `tasks` are all that there are: their owners and projects can be chosen. */
export function FilterBar({
  filters,
  tasks,
  onChange,
}: {
  filters: TaskFilters;
  tasks: readonly Task[];
  onChange: (edit: Partial<TaskFilters>) => void;
}) {
  const own = session.value?.member ?? '';
  const isOwn = comparableOwner(filters.owner) === comparableOwner(own);
  return (
    <form class={styles.filters} aria-label={t('Which tasks')} onSubmit={(event) => event.preventDefault()}>
      <Words value={filters.words} onChange={(words) => onChange({ words })} />
      <Select
        label={t('Status')}
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
      >
        <option value="open">{t('Open')}</option>
        <option value="done">{t('Done')}</option>
        <option value="cancelled">{t('Cancelled')}</option>
        <option value="all">{t('All')}</option>
      </Select>
      <NameChoice
        label={t('Owner')}
        all={t('Anybody')}
        value={filters.owner}
        tasks={tasks}
        nameOf={ownerOf}
        onChange={(owner) => onChange({ owner })}
      />
      <NameChoice
        label={t('Project')}
        all={t('Any')}
        value={filters.project}
        tasks={tasks}
        nameOf={projectOf}
        onChange={(project) => onChange({ project })}
      />
      <Field
        label={t('Due on or before')}
        type="date"
        value={filters.dueBy}
        onChange={(event) => onChange({ dueBy: event.currentTarget.value })}
      />
      <Button aria-pressed={isOwn} onClick={() => onChange({ owner: isOwn ? '' : own })}>
        {isOwn ? t('Everybody’s') : t('Only mine')}
      </Button>
    </form>
  );
}

/** Words are looked for when nobody types any more: every change of the address draws all links anew. */
function Words({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      onChange(typed);
      setTyped(undefined);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Field
      label={t('Words')}
      type="search"
      value={typed ?? value}
      placeholder={t('any')}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

const ownerOf = ({ owner }: Task) => (owner === null ? null : comparableOwner(owner));
const projectOf = ({ project }: Task) => project;

function NameChoice({
  label,
  all,
  value,
  tasks,
  nameOf,
  onChange,
}: {
  label: string;
  /** What it says while every name is wanted. */
  all: string;
  value: string;
  tasks: readonly Task[];
  nameOf: (task: Task) => string | null;
  onChange: (name: string) => void;
}) {
  const names = useMemo(() => mostNamed(tasks, nameOf), [tasks]);
  const chosen = names.find((name) => name === comparableOwner(value)) ?? value;
  return (
    <Select label={label} value={chosen} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{all}</option>
      {[...names, ...(chosen === '' || names.includes(chosen) ? [] : [chosen])].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** The names that most tasks have, in their order. */
function mostNamed(tasks: readonly Task[], nameOf: (task: Task) => string | null): string[] {
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const name = nameOf(task);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, maxChoices);
  return most.map(([name]) => name).sort((one, other) => one.localeCompare(other));
}
