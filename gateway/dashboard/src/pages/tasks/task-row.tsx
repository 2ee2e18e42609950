import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Day } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import { isTeamMember } from '../../service/session.ts';
import { EditTask } from './task-dialogs.tsx';
import type { Task } from './task-groups.ts';
import styles from './tasks-page.module.css';

const statusWords = { open: t('Open'), done: t('Done'), cancelled: t('Cancelled') };

/** A task in a list: its box, its words, where it stands, and what is said of it. */
export function TaskRow({
  task,
  isOverdue,
  isOpenToMe,
  onEdited,
}: {
  task: Task;
  isOverdue: boolean;
  /** Whether who is signed in may change the text that it stands in. */
  isOpenToMe: boolean;
  /** Called when a change of it is stored; resolves when the list shows it. */
  onEdited: () => Promise<void>;
}) {
  const [isEditing, setEditing] = useState(false);
  const { title, status, owner, due, project, tags, tier, source } = task;
  const tick = useAction(async () => {
    await (await import('./task-edits.ts')).saveTask(task, { status: status === 'open' ? 'done' : 'open' });
    await onEdited();
  });
  const isDecision = source.decision_id !== undefined;
  const path = isDecision ? decisionPath(source.decision_id ?? '') : itemPath(source.row_key, source.line);
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
          {isDecision ? t('a decision') : source.row_key}
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
          <Button
            kind="quiet"
            icon="edit"
            aria-label={t('Edit {title}', { title })}
            onClick={() => setEditing(true)}
          />
        )}
      </div>
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
    </li>
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
