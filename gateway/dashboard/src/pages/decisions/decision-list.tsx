import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Day, When } from '../../components/time.tsx';
import { plural } from '../../language/language.ts';
import { decisionPath, projectPath } from '../../service/paths.ts';
import { isTeamMember } from '../../service/session.ts';
import type { Decision } from './decision.ts';
import styles from './decisions-page.module.css';
import { StatusBadge } from './status-badge.tsx';

/** Decisions that are shown at first, and with every "Show more". */
const shownAtOnce = 100;

/** Decisions, one below the other; each leads to its page. */
export function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <>
      <ul class={styles.list}>
        {decisions.slice(0, shown).map((decision) => (
          <DecisionRow key={decision.decision_id} decision={decision} />
        ))}
      </ul>
      {shown < decisions.length && (
        <Button kind="quiet" onClick={() => setShown(shown + shownAtOnce)}>
          {plural(Math.min(shownAtOnce, decisions.length - shown), 'Show 1 more', 'Show {count} more')}
        </Button>
      )}
    </>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { decision_id, title, body, status, audience, project, decided_on, updated_at } = decision;
  return (
    <li class={styles.decision}>
      <span>
        <StatusBadge status={status} />
      </span>
      <div>
        <Link href={decisionPath(decision_id)} class={styles.title} dir="auto">
          {title}
        </Link>
        <p class={styles.summary} dir="auto">
          {firstWords(body)}
        </p>
      </div>
      <div class={styles.facts}>
        {audience === 'external' && isTeamMember() && <TierBadge tier={audience} />}
        {project !== null &&
          (isTeamMember() ? <Link href={projectPath(project)}>{project}</Link> : <span>{project}</span>)}
        {decided_on === null ? <When at={updated_at} /> : <Day value={decided_on} />}
      </div>
    </li>
  );
}

/** The first line of a text that says something, without the marks of Markdown. */
function firstWords(body: string): string {
  const line = body.split('\n', 50).find((text) => text.trim() !== '' && !text.startsWith('#')) ?? '';
  return line
    .slice(0, 300)
    .replace(/^[\s>*+-]+(\[.\]\s)?/, '')
    .replaceAll(/[*_`]/g, '');
}
