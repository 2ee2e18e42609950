import type { ComponentChildren } from 'preact';
import { t } from '../language/language.ts';
import styles from './badge.module.css';

/** A word that marks a thing. Its colour never says more than the word. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'guest';
  children: ComponentChildren;
}) {
  return <span class={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}

/** Who may see something: the team alone, or guests as well. */
export function TierBadge({ tier }: { tier: 'team' | 'external' }) {
  return tier === 'external' ? <Badge tone="guest">{t('Guests too')}</Badge> : <Badge>{t('Team')}</Badge>;
}

/** Marks what a guest wrote, which is nobody's word on the team. */
export function GuestBadge({ byGuest = false }: { byGuest?: boolean | undefined }) {
  return byGuest ? <Badge tone="warn">{t('By a guest')}</Badge> : null;
}

/** A level of readiness or maturity, L0 to L5. */
export function LevelBadge({ level = '' }: { level?: string | undefined }) {
  if (level === '') return <>–</>;
  const tone = level >= 'L4' ? 'good' : level >= 'L2' ? 'accent' : 'warn';
  return <Badge tone={tone}>{level}</Badge>;
}
