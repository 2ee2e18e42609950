import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { dayHeading, TimeOfDay } from '../../components/time.tsx';
import { isLive } from '../../data/change-stream.ts';
import { plural, t } from '../../language/language.ts';
import { isTeamMember } from '../../service/session.ts';
import { statusText } from '../decisions/status-badge.tsx';
import { type Change, type ChangeGroup, newsDays } from './news-days.ts';
import styles from './news-page.module.css';
import { NotesToCheck } from './notes-to-check.tsx';
import { useNews } from './use-news.ts';

/** Changes of a group that are shown at first, and with every "Show more". */
const [shownAtFirst, shownAtOnce] = [5, 50];
/** Days that are drawn at first, and with every "Show more". */
const daysAtOnce = 14;

const taskWords: Readonly<Record<string, string>> = {
  open: t('open'),
  done: t('done'),
  cancelled: t('cancelled'),
};
const icons = { item: 'file', task: 'tasks', decision: 'decisions' } as const;

/** Who changed what, and which notes should be checked. */
export default function NewsPage() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('view');
  const view = asked === 'own' || asked === 'check' ? asked : 'changes';
  return (
    <Page
      title={t('What’s new')}
      description={
        view === 'changes'
          ? t('Who changed what: items, tasks and decisions, the newest first.')
          : t('Notes that should be checked again: their day has passed.')
      }
      actions={view === 'changes' ? <Liveness /> : undefined}
      isNarrow
    >
      <Tabs
        label={t('What to see')}
        tabs={[
          { name: 'changes', label: t('Changes') },
          { name: 'own', label: t('Yours to check') },
          { name: 'check', label: t('All to check') },
        ]}
        selected={view}
        onSelect={(name) => setParameters(name === 'changes' ? [] : [['view', name]], { replace: true })}
      />
      {view === 'changes' ? <Changes /> : <NotesToCheck isOwn={view === 'own'} />}
    </Page>
  );
}

/** Who changed what, day by day, as it happens. */
function Changes() {
  const { changes, isComplete, problem, showEarlier, retry } = useNews();
  const days = useMemo(() => newsDays(changes), [changes]);
  const [shown, setShown] = useState(daysAtOnce);
  return (
    <>
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
        {days.length > shown && (
          <Button onClick={() => setShown(shown + daysAtOnce)}>{t('Show more days')}</Button>
        )}
        {isComplete && days.length > 0 && days.length <= shown && showEarlier !== undefined && (
          <Button onClick={showEarlier}>{t('Show earlier days')}</Button>
        )}
      </div>
    </>
  );
}

function Liveness() {
  return (
    <p class={styles.liveness} role="status">
      <span class={isLive.value ? styles.live : styles.waiting} aria-hidden="true" />
      {isLive.value ? t('Live') : t('Not live: connecting')}
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
          <span>{headingOf(by, kind, changes)}</span>
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
              {plural(
                Math.min(shownAtOnce, changes.length - shown),
                'Show 1 more of {all}',
                'Show {count} more of {all}',
                { all: changes.length },
              )}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

/** What happened, with who did it where the feed tells. */
function headingOf(by: string, kind: Change['kind'], { length }: readonly Change[]): ComponentChildren {
  const who = { by: <strong>{by}</strong> };
  if (kind === 'task') return plural(length, 'A task changed', '{count} tasks changed');
  if (kind === 'item') {
    return by === ''
      ? plural(length, 'An item removed', '{count} items removed')
      : plural(length, '{by} changed an item', '{by} changed {count} items', who);
  }
  // A decision's feed does not tell a new one from one that was edited.
  return by === ''
    ? plural(length, 'A decision removed', '{count} decisions removed')
    : plural(length, '{by} wrote a decision', '{by} wrote {count} decisions', who);
}

function ChangeLine({ change: { kind, verb, title, place, path, tier } }: { change: Change }) {
  return (
    <li class={styles.change}>
      {path === '' ? <span class={styles.gone}>{title}</span> : <Link href={path}>{title}</Link>}
      {kind === 'task' && <Badge tone={verb === 'done' ? 'good' : 'neutral'}>{taskWords[verb]}</Badge>}
      {kind === 'decision' && place !== '' && <Badge tone="accent">{statusText(place)}</Badge>}
      {tier === 'external' && isTeamMember() && <Badge tone="guest">{t('Guests too')}</Badge>}
      {kind !== 'decision' && <span class={styles.place}>{place}</span>}
    </li>
  );
}

function NothingYet() {
  if (!isTeamMember()) {
    return (
      <EmptyState icon="news" title={t('Nothing is new')}>
        {t('What the team changes of what it shares with guests shows here.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="news" title={t('Nothing has happened yet')} command="tms sync ./notes">
      {t(
        'Each change of an item, task or decision shows here a moment later. Put a folder in step with the team to begin:',
      )}
    </EmptyState>
  );
}
