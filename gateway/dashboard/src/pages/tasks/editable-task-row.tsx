import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { EditTask } from './task-dialogs.tsx';
import type { Task } from './task-groups.ts';
import styles from './task-row.module.css';
import { TaskRow } from './task-row.tsx';

/** A task whose text who is signed in may change: its box can be ticked, and a pen edits what is said of it. */
export function EditableTaskRow({
  task,
  onEdited,
}: {
  task: Task;
  /** Called when a change of it is stored; resolves when the list shows it. */
  onEdited: () => Promise<void>;
}) {
  const [isEditing, setEditing] = useState(false);
  const { title, status } = task;
  const tick = useAction(async () => {
    await (await import('./task-edits.ts')).saveTask(task, { status: status === 'open' ? 'done' : 'open' });
    await onEdited();
  });
  return (
    <TaskRow
      task={task}
      problem={tick.problem}
      box={
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
      }
    >
      <Button
        kind="quiet"
        icon="edit"
        aria-label={t('Edit {title}', { title })}
        onClick={() => setEditing(true)}
      />
      {isEditing && (
        <EditTask
          task={task}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            void onEdited();
          }}
        />
      )}
    </TaskRow>
  );
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
