import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { dayHeading, TimeOfDay } from '../../components/time.tsx';
import { isLive } from '../../data/change-stream.ts';
import { isTeamMember } from '../../service/session.ts';
import { type Change, type ChangeGroup, newsDays } from './news-days.ts';
import styles from './news-page.module.css';
import { useNews } from './use-news.ts';

/** Changes of a group that are shown at first, and with every "Show more". */
const [shownAtFirst, shownAtOnce] = [5, 50];
/** Days that are drawn at first, and with every "Show more". */
const daysAtOnce = 14;

const icons = { item: 'file', task: 'tasks', decision: 'decisions' } as const;

/** Who changed what, day by day, as it happens. */
export default function NewsPage() {
  const { changes, isComplete, problem, showEarlier, retry } = useNews();
  const days = useMemo(() => newsDays(changes), [changes]);
  const [shown, setShown] = useState(daysAtOnce);
  return (
    <Page
      title="What’s new"
      description="Who changed what: items, tasks and decisions, the newest first."
      actions={<Liveness />}
      isNarrow
    >
      <ProblemNotice problem={problem} onRetry={retry} />
      {!isComplete && problem === undefined && <Skeleton lines={10} />}
      {isComplete && days.length === 0 && <NothingYet />}
      {days.slice(0, shown).map(({ day, at, groups }) => (
        <section key={day} class={styles.day} aria-label={dayHeading(at)}>
          <h2>{dayHeading(at)}</h2>
          <ol class={styles.groups}>
            {groups.map((group) => (
              <Group key={group.key} group={group} />
            ))}
          </ol>
        </section>
      ))}
      <div class={styles.earlier}>
        {days.length > shown && <Button onClick={() => setShown(shown + daysAtOnce)}>Show more days</Button>}
        {isComplete && days.length > 0 && days.length <= shown && showEarlier !== undefined && (
          <Button onClick={showEarlier}>Show earlier days</Button>
        )}
      </div>
    </Page>
  );
}

function Liveness() {
  return (
    <p class={styles.liveness} role="status">
      <span class={isLive.value ? styles.live : styles.waiting} aria-hidden="true" />
      {isLive.value ? 'Live' : 'Not live: connecting'}
    </p>
  );
}

function Group({ group: { by, kind, changes } }: { group: ChangeGroup }) {
  const [shown, setShown] = useState(shownAtFirst);
  const [newest] = changes;
  if (newest === undefined) return null;
  return (
    <li class={styles.group}>
      <span class={`${styles.icon} ${styles[kind]}`}>
        <Icon name={icons[kind]} />
      </span>
      <div class={styles.words}>
        <p class={styles.heading}>
          <span>
            {by !== '' && <strong>{by}</strong>} {headingOf(by, kind, changes)}
          </span>
          <TimeOfDay at={newest.at} />
        </p>
        <ul class={styles.changes}>
          {changes.slice(0, shown).map((change) => (
            <ChangeLine key={change.key} change={change} />
          ))}
        </ul>
        {changes.length > shown && (
          <div class={styles.more}>
            <Button kind="quiet" onClick={() => setShown(shown + shownAtOnce)}>
              Show {Math.min(shownAtOnce, changes.length - shown)} more of {changes.length.toLocaleString()}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function headingOf(by: string, kind: Change['kind'], { length }: readonly Change[]): string {
  const what = length === 1 ? { item: 'an item', task: 'A task', decision: 'a decision' }[kind] : '';
  const names = { item: 'items', task: 'tasks', decision: 'decisions' }[kind];
  const things = length === 1 ? what : `${length.toLocaleString()} ${names}`;
  if (kind === 'task') return `${things} changed`;
  if (by === '') return `${capital(things)} removed`;
  // A decision's feed does not tell a new one from one that was edited.
  return kind === 'decision' ? `wrote ${things}` : `changed ${things}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ChangeLine({ change: { kind, verb, title, place, path, tier } }: { change: Change }) {
  return (
    <li class={styles.change}>
      {path === '' ? <span class={styles.gone}>{title}</span> : <Link href={path}>{title}</Link>}
      {kind === 'task' && (
        <Badge tone={verb === 'is done' ? 'good' : 'neutral'}>
          {verb.replace('is ', '').replace('was ', '')}
        </Badge>
      )}
      {kind === 'decision' && place !== '' && <Badge tone="accent">{place}</Badge>}
      {tier === 'external' && isTeamMember() && <Badge tone="guest">Guests too</Badge>}
      {kind !== 'decision' && <span class={styles.place}>{place}</span>}
    </li>
  );
}

function NothingYet() {
  if (!isTeamMember()) {
    return (
      <EmptyState icon="news" title="Nothing is new">
        What the team changes of what it shares with guests shows here.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="news" title="Nothing has happened yet" command="tms sync ./notes">
      Each change of an item, task or decision shows here a moment later. Put a folder in step with the team
      to begin:
    </EmptyState>
  );
}
