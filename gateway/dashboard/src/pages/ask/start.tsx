import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Day, When } from '../../components/time.tsx';
import { feedPageRows } from '../../data/use-feed.ts';
import { useReload } from '../../data/use-reload.ts';
import { useRequest } from '../../data/use-request.ts';
import { numberText, t } from '../../language/language.ts';
import { decisionPath, itemPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import { isReviewer, isTeamMember, session } from '../../service/session.ts';
import { statusText } from '../decisions/status-badge.tsx';
import { verbWords } from '../news/news-days.ts';
import { OwnProposals } from '../review/own-proposals.tsx';
import { TaskRow } from '../tasks/task-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { KeptQuestions } from './kept-questions.tsx';
import styles from './start.module.css';
import { readStart, type StartData } from './start-data.ts';
import { beginVisit, goOnVisiting } from './visit.ts';

/** Rows of each list; a link leads to the others. */
const shownRows = 5;
const icons = { item: 'file', task: 'tasks', decision: 'decisions' } as const;

/** What the day starts with: what changed, what one has to do, and what waits for a decision. */
export default function Start() {
  const [visit] = useState(beginVisit);
  const member = session.value?.member ?? '';
  const { value, problem, reload } = useRequest((signal) => readStart(member, visit.since, signal), [visit]);
  useReload(reload);
  useEffect(() => goOnVisiting(value?.newest), [value]);
  useEffect(() => {
    const leave = () => goOnVisiting();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  if (value === undefined) {
    return problem === undefined ? (
      <Skeleton lines={12} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  return (
    <>
      {value.isEmpty && isTeamMember() ? (
        <FirstSteps />
      ) : (
        <>
          <Changes data={value} isLastVisit={visit.isLastVisit} />
          <OwnTasks data={value} member={member} />
          {value.proposed.length > 0 && <Proposed data={value} />}
          <OwnNotesToCheck />
        </>
      )}
      {!isReviewer() && <OwnProposals />}
      <KeptQuestions />
    </>
  );
}

function Changes({ data, isLastVisit }: { data: StartData; isLastVisit: boolean }) {
  const { changes, hasMoreChanges } = data;

  return (
    <Section
      title={isLastVisit ? t('Since you were here') : t('In the last 7 days')}
      link={{ href: '/news', label: moreOf(changes.length, hasMoreChanges, t('What’s new')) }}
      nothing={
        isLastVisit
          ? t('Nobody else has changed anything since you were here.')
          : t('Nobody else has changed anything in the last 7 days.')
      }
    >
      {changes.slice(0, shownRows).map(({ key, kind, path, title, by, verb, place, tier, at }) => (
        <li key={key} class={styles.row}>
          <span class={styles.icon}>
            <Icon name={icons[kind]} />
          </span>
          <span class={styles.words}>
            <Link href={path} dir="auto">
              {title}
            </Link>
            <span class={styles.detail}>{kind === 'decision' ? statusText(place) : place}</span>
          </span>
          <span class={styles.facts}>
            {tier === 'external' && isTeamMember() && <Badge tone="guest">{t('Guests too')}</Badge>}
            <span>{by === '' ? verbWords[verb] : by}</span>
            <When at={at} />
          </span>
        </li>
      ))}
    </Section>
  );
}

function OwnTasks({ data: { tasks, hasMoreTasks }, member }: { data: StartData; member: string }) {
  return (
    <Section
      title={t('Your open tasks')}
      link={{
        href: `/tasks?owner=${encodeURIComponent(member)}`,
        label: moreOf(tasks.length, hasMoreTasks, t('All your tasks')),
      }}
      nothing={t('No open task has the owner @{member}.', { member })}
    >
      {tasks.slice(0, shownRows).map((task) => (
        <TaskRow key={task.task_id} task={task} />
      ))}
    </Section>
  );
}

function Proposed({ data: { proposed } }: { data: StartData }) {
  return (
    <Section
      title={t('Waiting for a decision')}
      link={{
        href: '/decisions?status=proposed',
        label: moreOf(proposed.length, false, t('All that are proposed')),
      }}
    >
      {proposed.slice(0, shownRows).map(({ decision_id, title, updated_by, updated_at }) => (
        <li key={decision_id} class={styles.row}>
          <span class={styles.words}>
            <Link href={decisionPath(decision_id)} dir="auto">
              {title}
            </Link>
          </span>
          <span class={styles.facts}>
            <span>{updated_by}</span>
            <When at={updated_at} />
          </span>
        </li>
      ))}
    </Section>
  );
}

/** Notes that one wrote last and that should be checked; nothing where there are none. */
function OwnNotesToCheck() {
  const { value, reload } = useRequest(
    (signal) => rpc.query.listNotesToCheck({ mine: true }, { signal }),
    [],
  );
  useReload(reload);
  if (value === undefined || value.notes.length === 0) return null;
  const { notes, hasMore } = value;
  return (
    <Section
      title={t('To be checked')}
      link={{
        href: '/news?view=own',
        label: moreOf(notes.length, hasMore, t('All your notes to check'), notes.length),
      }}
    >
      {notes.slice(0, shownRows).map(({ rowKey, title, checkBy }) => (
        <li key={rowKey} class={styles.row}>
          <span class={styles.words}>
            <Link href={itemPath(rowKey)} dir="auto">
              {title}
            </Link>
            <span class={styles.detail}>{rowKey}</span>
          </span>
          <span class={styles.facts}>
            <span>{t('since {day}', { day: <Day value={checkBy} /> })}</span>
          </span>
        </li>
      ))}
    </Section>
  );
}

/** A few rows, and the way to all of them. */
function Section({
  title,
  link,
  nothing,
  children,
}: {
  title: string;
  link: { href: string; label: string };
  /** What to say where there are no rows. */
  nothing?: string;
  children: ComponentChildren[];
}) {
  return (
    <Card title={title} actions={<Link href={link.href}>{link.label}</Link>}>
      {children.length === 0 ? <p class={styles.detail}>{nothing}</p> : <ul>{children}</ul>}
    </Card>
  );
}

/** The words of the link to a whole list, with the number of its rows where not all of them are shown. */
function moreOf(count: number, hasMore: boolean, label: string, most = feedPageRows): string {
  if (hasMore) return t('{label} (more than {count})', { label, count: most });
  return count > shownRows ? `${label} (${numberText(count)})` : label;
}
