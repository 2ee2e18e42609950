import type { IconName } from '../components/icon.tsx';
import { waitingProposals } from '../data/waiting-proposals.ts';
import { t } from '../language/language.ts';
import { isReviewer, isTeamAdministrator, isTeamMember, mayMakeKeys } from '../service/session.ts';

interface Destination {
  path: string;
  label: string;
  icon: IconName;
  isFor: () => boolean;
  /** How many things wait there; 0 shows nothing. */
  count?: () => number;
}

const everybody = () => true;

/** The pages in groups: what one reads, what one decides, what one looks after. */
export function destinationGroups(): Destination[][] {
  return [
    [
      { path: '/', label: t('Ask'), icon: 'ask', isFor: everybody },
      { path: '/memory', label: t('Memory'), icon: 'memory', isFor: everybody },
      { path: '/news', label: t('What’s new'), icon: 'news', isFor: everybody },
    ],
    [
      { path: '/tasks', label: t('Tasks'), icon: 'tasks', isFor: everybody },
      { path: '/decisions', label: t('Decisions'), icon: 'decisions', isFor: everybody },
      {
        path: '/review',
        label: t('Review'),
        icon: 'check',
        isFor: isReviewer,
        count: () => waitingProposals.value,
      },
      { path: '/projects', label: t('Projects'), icon: 'projects', isFor: isTeamMember },
    ],
    [
      { path: '/team', label: t('Team'), icon: 'team', isFor: isTeamAdministrator },
      { path: '/connect', label: t('Connect'), icon: 'link', isFor: mayMakeKeys },
      { path: '/money', label: t('Money'), icon: 'money', isFor: isTeamMember },
      { path: '/readiness', label: t('Readiness'), icon: 'readiness', isFor: isTeamMember },
      { path: '/maturity', label: t('Maturity'), icon: 'maturity', isFor: isTeamMember },
    ],
  ];
}

/** The pages that the session opens. */
export function destinations(): Destination[] {
  return destinationGroups()
    .flat()
    .filter(({ isFor }) => isFor());
}
