import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Badge, TierBadge } from '../../components/badge.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Day } from '../../components/time.tsx';
import { t } from '../../language/language.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import type { Problem } from '../../service/problem.ts';
import { isTeamMember } from '../../service/session.ts';
import { type Task, todayHere } from './task-groups.ts';
import styles from './task-row.module.css';

const statusWords = { open: t('Open'), done: t('Done'), cancelled: t('Cancelled') };

/** A task in a list, on every page: its state, its words, where it stands, and what is said of it. */
export function TaskRow({
  task: { title, status, owner, due, project, tags, tier, source },
  box,
  problem,
  children,
}: {
  task: Task;
  /** What to show instead of its state. */
  box?: ComponentChildren;
  problem?: Problem | undefined;
  /** What can be done with it. */
  children?: ComponentChildren;
}) {
  const isDecision = source.decision_id !== undefined;
  const path = isDecision ? decisionPath(source.decision_id ?? '') : itemPath(source.row_key, source.line);
  const isOverdue = status === 'open' && due !== null && due < todayHere();
  return (
    <li class={styles.task}>
      {box ?? (
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
        <ProblemNotice problem={problem} />
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
            {isOverdue && <span class="visually-hidden">{t('Overdue')} </span>}
            <Day value={due} />
          </span>
        )}
        {children}
      </div>
    </li>
  );
}
