import { Badge } from '../../components/badge.tsx';
import { t } from '../../language/language.ts';
import type { Status } from './decision.ts';

/** How people read each status. */
export const statusWords: Readonly<Record<Status, string>> = {
  proposed: t('Proposed'),
  accepted: t('Accepted'),
  superseded: t('Superseded'),
  rejected: t('Rejected'),
};

/** Returns the word for a status that a feed or a passage names. */
export function statusText(status: string): string {
  return statusWords[status as Status] ?? status;
}

const tones = { proposed: 'accent', accepted: 'good', superseded: 'neutral', rejected: 'bad' } as const;

/** Where a decision stands. */
export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{statusWords[status]}</Badge>;
}
