import { useState } from 'preact/hooks';
import { FormDialog } from '../../components/dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { isTeamMember } from '../../service/session.ts';
import { attributeFault, type TaskEdit, taskLine } from './edit-line.ts';
import type { Task } from './task-groups.ts';

/** The name of a log, as the service knows it. */
const logName = /(?:^|[-_/])(?:tasks?|todos?|task-log)\.(?:md|markdown)$/i;
const newLog = 'tasks.md';

/** What a person says of a task besides its words. */
type Facts = Required<Pick<TaskEdit, 'owner' | 'due' | 'project'>>;

/** Edits owner, day and project of a task. */
export function EditTask({ task, onDone, onClose }: { task: Task; onDone: () => void; onClose: () => void }) {
  // As it was when the dialog opened: what others change meanwhile is not taken for something that was changed here.
  const [shown] = useState(task);
  const before: Facts = { owner: shown.owner ?? '', due: shown.due ?? '', project: shown.project ?? '' };
  const [facts, setFacts] = useState(before);
  const edit = changesOf(before, facts);
  const action = useAction(async () => (await import('./task-edits.ts')).saveTask(shown, edit));
  return (
    <FormDialog
      title={t('Edit task')}
      submit={t('Save')}
      action={action}
      isReady={Object.keys(edit).length > 0 && isValid(facts)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{shown.title}</p>
      <FactFields facts={facts} onChange={setFacts} />
    </FormDialog>
  );
}

/** Returns the files whose tasks these are, if they have the name of a log, by path. */
export function logsOf(tasks: readonly Task[]): string[] {
  const rowKeys = tasks.flatMap(({ source: { row_key, decision_id } }) =>
    decision_id === undefined && logName.test(row_key) ? row_key : [],
  );
  return [...new Set(rowKeys)].sort();
}

/** Adds a task at the end of a log. */
export function NewTask({
  logs,
  knownLogs,
  onDone,
  onClose,
}: {
  /** Files with tasks that who is signed in may change. */
  logs: readonly string[];
  /** Files with tasks, those of others too. */
  knownLogs: readonly string[];
  onDone: () => void;
  onClose: () => void;
}) {
  const [title, setTitle] = useState('');
  const [log, setLog] = useState(logs[0] ?? newLog);
  const [facts, setFacts] = useState<Facts>({ owner: '', due: '', project: '' });
  const action = useAction(async () => {
    const { addTask } = await import('./task-edits.ts');
    await addTask(log, taskLine(title, facts), isTeamMember() ? 'team' : 'external');
  });
  return (
    <FormDialog
      title={t('New task')}
      submit={t('Add task')}
      action={action}
      isReady={title.trim() !== '' && isValid(facts)}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        label={t('Task')}
        value={title}
        maxLength={300}
        required
        onInput={(event) => setTitle(event.currentTarget.value)}
      />
      <Select
        label={t('List')}
        value={log}
        hint={t('It is added at the end of this file.')}
        onChange={(event) => setLog(event.currentTarget.value)}
      >
        {logs.map((rowKey) => (
          <option key={rowKey} value={rowKey}>
            {rowKey}
          </option>
        ))}
        {!knownLogs.includes(newLog) && <option value={newLog}>{t('{newLog} (new)', { newLog })}</option>}
      </Select>
      <FactFields facts={facts} onChange={setFacts} />
    </FormDialog>
  );
}

function FactFields({ facts, onChange }: { facts: Facts; onChange: (facts: Facts) => void }) {
  const { owner, due, project } = facts;
  return (
    <>
      <Field
        label={t('Owner')}
        value={owner}
        placeholder={t('nobody')}
        spellcheck={false}
        error={attributeFault('owner', owner)}
        onInput={(event) =>
          onChange({ due, project, owner: event.currentTarget.value.trim().replace(/^@/, '') })
        }
      />
      <Field
        label={t('Due on')}
        type="date"
        value={due}
        error={attributeFault('due', due)}
        onInput={(event) => onChange({ owner, project, due: event.currentTarget.value })}
      />
      <Field
        label={t('Project')}
        value={project}
        placeholder={t('none')}
        spellcheck={false}
        error={attributeFault('project', project)}
        onInput={(event) => onChange({ owner, due, project: event.currentTarget.value.trim().toLowerCase() })}
      />
    </>
  );
}

function isValid(facts: Facts): boolean {
  return (['owner', 'due', 'project'] as const).every(
    (name) => attributeFault(name, facts[name]) === undefined,
  );
}

function changesOf(before: Facts, now: Facts): TaskEdit {
  return Object.fromEntries(
    (['owner', 'due', 'project'] as const)
      .filter((name) => now[name] !== before[name])
      .map((name) => [name, now[name]]),
  );
}
