import { useEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { forgetDraftsLater } from '../data/drafts.ts';
import { useAction } from '../data/use-action.ts';
import { countWaitingProposals, maxCountedProposals } from '../data/waiting-proposals.ts';
import { plural, t } from '../language/language.ts';
import { PaletteButton } from '../palette/palette-door.tsx';
import { isReviewer, session, signOut } from '../service/session.ts';
import { type Theme, theme } from '../theme/theme.ts';
import { destinationGroups } from './destinations.ts';
import styles from './navigation.module.css';

/** Of the service that the dashboard was built with; written in by scripts/build-dashboard.ts. */
declare const SERVICE_VERSION: string;
const version = SERVICE_VERSION;

/** The list of pages, and who is signed in. */
export function Navigation() {
  const [path] = useLocation();
  const reviews = isReviewer();
  useEffect(() => {
    if (reviews) void countWaitingProposals();
  }, [path, reviews]);
  const isHere = (destination: string) =>
    destination === '/' ? path === '/' : path === destination || path.startsWith(`${destination}/`);
  const shown = destinationGroups()
    .map((group) => group.filter(({ isFor }) => isFor()))
    .filter(({ length }) => length > 0);
  return (
    <div class={styles.navigation}>
      <div class={styles.brand}>
        <span class={styles.mark}>
          <Icon name="memory" size={18} />
        </span>
        <span class={styles.names}>
          <span class={styles.product} translate={false}>
            Team Memory
          </span>
          <strong class={styles.team}>{session.value?.team}</strong>
        </span>
      </div>
      <PaletteButton />
      <nav aria-label={t('Pages')}>
        {shown.map((group) => (
          <ul key={group[0]?.path} class={styles.group}>
            {group.map(({ path: destination, label, icon, count }) => (
              <li key={destination} class={styles.destination}>
                <Link
                  href={destination}
                  class={`${styles.link} ${isHere(destination) ? styles.here : ''}`}
                  aria-current={isHere(destination) ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {label}
                </Link>
                <Waiting count={count?.() ?? 0} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <SignedIn />
    </div>
  );
}

/** How many things wait on a page. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class={styles.count}>
      <span aria-hidden="true">{count > maxCountedProposals ? `${maxCountedProposals}+` : count}</span>
      <span class="visually-hidden">{plural(count, '1 waits', '{count} wait')}</span>
    </span>
  );
}

function SignedIn() {
  const leave = useAction(async (everywhere: boolean) => {
    const forgetDrafts = forgetDraftsLater();
    await signOut({ everywhere });
    forgetDrafts();
  });
  const who = session.value;
  if (who === null || who === undefined) return null;
  return (
    <div class={styles.who}>
      <div class={styles.member}>
        <span class={styles.initial} aria-hidden="true">
          {who.member.slice(0, 1).toUpperCase()}
        </span>
        <strong>{who.member}</strong>
        {who.tier === 'external' && <Badge tone="guest">{t('Guest')}</Badge>}
        {who.tier === 'team' && who.role === 'admin' && <Badge>{t('Admin')}</Badge>}
        {who.access === 'read' && <Badge>{t('Read only')}</Badge>}
        {who.access === 'propose' && <Badge>{t('Proposals')}</Badge>}
      </div>
      <div class={styles.leave}>
        <Button kind="quiet" icon="out" isBusy={leave.isRunning} onClick={() => leave.run(false)}>
          {t('Sign out')}
        </Button>
        <Button kind="quiet" isBusy={leave.isRunning} onClick={() => leave.run(true)}>
          {t('Sign out everywhere')}
        </Button>
      </div>
      <div class={styles.about}>
        <select
          aria-label={t('Colours')}
          value={theme.value}
          onChange={(event) => {
            theme.value = event.currentTarget.value as Theme;
          }}
        >
          <option value="system">{t('As the system')}</option>
          <option value="light">{t('Light')}</option>
          <option value="dark">{t('Dark')}</option>
        </select>
        <a href="/docs">{t('Help with the API')}</a>
        <span>{t('Version {version}', { version })}</span>
      </div>
      {leave.problem !== undefined && (
        <p class={styles.failed} role="alert">
          {leave.problem.message}
        </p>
      )}
    </div>
  );
}
