import { useSearchParams } from 'wouter-preact';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { isTeamAdministrator } from '../../service/session.ts';
import { Addresses } from './addresses.tsx';
import { Audit } from './audit.tsx';
import { ExportCard } from './export/export-card.tsx';
import { Invitations } from './invitations.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { RatedQuestions } from './rated-questions.tsx';
import { Refusals } from './refusals.tsx';
import { SkippedTexts } from './skipped-texts.tsx';
import { loadKeys, loadMembers, ownTeam } from './team-data.ts';
import { Webhooks } from './webhooks.tsx';

const views = [
  { name: 'members', label: t('Members') },
  { name: 'invitations', label: t('Invitations') },
  { name: 'keys', label: t('Keys') },
  { name: 'questions', label: t('Questions') },
  { name: 'refusals', label: t('Refusals') },
  { name: 'skipped', label: t('Missing tasks') },
  { name: 'addresses', label: t('Sign-in addresses') },
  { name: 'webhooks', label: t('Webhooks') },
  { name: 'audit', label: t('Audit log') },
  { name: 'export', label: t('Export') },
] as const;

type View = (typeof views)[number]['name'];

/** The team's members and keys, for its administrators. */
export default function TeamPage() {
  if (isTeamAdministrator()) return <Administration />;
  return (
    <Page title={t('Team')}>
      <Notice>
        <p>
          {t(
            'Only administrators of the team look after its members and keys here. They need the role admin, and a key of tier team with access write. Ask one of them if you need another key.',
          )}
        </p>
      </Notice>
      <Refusals />
    </Page>
  );
}

function Administration() {
  const [parameters, setParameters] = useSearchParams();
  const view = views.find(({ name }) => name === parameters.get('view'))?.name ?? 'members';
  const select = (name: View) => {
    setParameters(name === 'members' ? [] : [['view', name]], { replace: true });
  };
  const members = useRequest(loadMembers, []);
  const keys = useRequest(loadKeys, []);
  const reload = () => {
    members.reload();
    keys.reload();
  };
  const isReady = members.value !== undefined && keys.value !== undefined;
  return (
    <Page
      title={t('Team')}
      description={t('Who belongs to {team}, and with which keys they come.', { team: ownTeam() })}
    >
      <Tabs label={t('What to look after')} tabs={views} selected={view} onSelect={select} />
      <ProblemNotice problem={members.problem ?? keys.problem} onRetry={reload} />
      {!isReady && members.problem === undefined && keys.problem === undefined && <Skeleton lines={8} />}
      {isReady && view === 'members' && (
        <Members members={members.value ?? []} keys={keys.value ?? []} onChange={reload} />
      )}
      {isReady && view === 'keys' && (
        <Keys members={members.value ?? []} keys={keys.value ?? []} onChange={reload} />
      )}
      {isReady && view === 'questions' && <RatedQuestions />}
      {isReady && view === 'invitations' && <Invitations />}
      {isReady && view === 'refusals' && <Refusals />}
      {isReady && view === 'skipped' && <SkippedTexts />}
      {isReady && view === 'webhooks' && <Webhooks />}
      {isReady && view === 'export' && <ExportCard />}
      {isReady && view === 'audit' && <Audit members={members.value ?? []} />}
      {isReady && view === 'addresses' && <Addresses members={members.value ?? []} />}
    </Page>
  );
}
