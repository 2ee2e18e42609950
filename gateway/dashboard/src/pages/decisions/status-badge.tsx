import { Badge } from '../../components/badge.tsx';
import type { Status } from './decision.ts';

/** How people read each status. */
export const statusWords: Readonly<Record<Status, string>> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  superseded: 'Superseded',
  rejected: 'Rejected',
};

const tones = { proposed: 'accent', accepted: 'good', superseded: 'neutral', rejected: 'bad' } as const;

/** Where a decision stands. */
export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{statusWords[status]}</Badge>;
}
