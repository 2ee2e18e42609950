import type { IconName } from '../components/icon.tsx';
import { isTeamAdministrator, isTeamMember, mayMakeKeys } from '../service/session.ts';

interface Destination {
  path: string;
  label: string;
  icon: IconName;
  isFor: () => boolean;
}

const everybody = () => true;

/** The pages in groups: what one reads, what one decides, what one looks after. */
export const groups: readonly (readonly Destination[])[] = [
  [
    { path: '/', label: 'Ask', icon: 'ask', isFor: everybody },
    { path: '/memory', label: 'Memory', icon: 'memory', isFor: everybody },
    { path: '/news', label: 'What’s new', icon: 'news', isFor: everybody },
  ],
  [
    { path: '/tasks', label: 'Tasks', icon: 'tasks', isFor: everybody },
    { path: '/decisions', label: 'Decisions', icon: 'decisions', isFor: everybody },
    { path: '/projects', label: 'Projects', icon: 'projects', isFor: isTeamMember },
  ],
  [
    { path: '/team', label: 'Team', icon: 'team', isFor: isTeamAdministrator },
    { path: '/connect', label: 'Connect', icon: 'link', isFor: mayMakeKeys },
    { path: '/money', label: 'Money', icon: 'money', isFor: isTeamMember },
    { path: '/readiness', label: 'Readiness', icon: 'readiness', isFor: isTeamMember },
    { path: '/maturity', label: 'Maturity', icon: 'maturity', isFor: isTeamMember },
  ],
];

/** The pages that the session opens. */
export function destinations(): Destination[] {
  return groups.flat().filter(({ isFor }) => isFor());
}
