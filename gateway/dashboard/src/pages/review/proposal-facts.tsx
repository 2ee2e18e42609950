import { Link } from 'wouter-preact';
import { Badge, GuestBadge, TierBadge } from '../../components/badge.tsx';
import { When } from '../../components/time.tsx';
import { t } from '../../language/language.ts';
import { itemPath } from '../../service/paths.ts';
import type { Proposal } from './proposals.ts';
import styles from './review.module.css';

/** What became of a proposal. */
export function StateBadge({ proposal: { state, edited } }: { proposal: Proposal }) {
  if (state === 'waiting') return <Badge tone="accent">{t('Waits')}</Badge>;
  if (state === 'declined') return <Badge tone="bad">{t('Declined')}</Badge>;
  return <Badge tone="good">{edited ? t('Accepted, with changes') : t('Accepted')}</Badge>;
}

/** The name of the item, which leads to it if it is there. */
export function ItemName({ proposal: { rowKey }, isThere }: { proposal: Proposal; isThere: boolean }) {
  return isThere ? (
    <Link href={itemPath(rowKey)} class={styles.path} translate={false}>
      {rowKey}
    </Link>
  ) : (
    <code class={styles.path} translate={false}>
      {rowKey}
    </code>
  );
}

/** Who proposed it, with which key, when, and for whom. */
export function ProposalFacts({ proposal }: { proposal: Proposal }) {
  const { by, keyId, at, byGuest, tier } = proposal;
  return (
    <p class={styles.facts}>
      <span>
        {t('by {member}, with the key {key}', { member: by, key: <code translate={false}>{keyId}</code> })}
      </span>
      {at !== undefined && <When at={at} />}
      <TierBadge tier={tier} />
      <GuestBadge byGuest={byGuest} />
    </p>
  );
}

/** Who decided, and why it was declined. */
export function DecisionFacts({ proposal }: { proposal: Proposal }) {
  const { decidedBy, decidedAt, reason } = proposal;
  if (decidedBy === '') return null;
  return (
    <div class={styles.decision}>
      <p class={styles.facts}>
        <span>{t('decided by {member}', { member: decidedBy })}</span>
        {decidedAt !== undefined && <When at={decidedAt} />}
      </p>
      {reason !== '' && (
        <p class={styles.reason} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}
