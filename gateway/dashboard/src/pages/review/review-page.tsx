import { Link, useSearchParams } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { proposalPath } from '../../service/paths.ts';
import { DecisionFacts, ItemName, ProposalFacts, StateBadge } from './proposal-facts.tsx';
import { listProposals, type Proposal, readChanges } from './proposals.ts';
import styles from './review.module.css';

/** What waits for a reviewer, and what was decided in the last 90 days. */
export default function ReviewPage() {
  const [parameters, setParameters] = useSearchParams();
  const isDecided = parameters.get('view') === 'decided';
  return (
    <Page
      title={t('Review')}
      description={t(
        'What agents and people propose with keys that only propose. Nobody else sees it until you accept it.',
      )}
    >
      <Tabs
        label={t('Which proposals')}
        tabs={[
          { name: 'waiting', label: t('Waiting') },
          { name: 'decided', label: t('Decided') },
        ]}
        selected={isDecided ? 'decided' : 'waiting'}
        onSelect={(view) => setParameters(view === 'waiting' ? [] : [['view', view]], { replace: true })}
      />
      {isDecided ? <Decided /> : <Waiting />}
    </Page>
  );
}

function Waiting() {
  const { value, problem, reload } = useRequest(async (signal) => {
    const proposals = await listProposals(false, signal);
    return { proposals, changes: await readChanges(proposals, signal) };
  }, []);
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={8} />;
  if (value.proposals.length === 0) {
    return (
      <EmptyState icon="check" title={t('Nothing waits for you')}>
        {t('A key with access “Propose” is right for an agent that writes: what it pushes waits here.')}
      </EmptyState>
    );
  }
  return (
    <ul class={styles.list}>
      {value.proposals.map((proposal) => (
        <li key={proposal.id} class={styles.proposal}>
          <p class={styles.head}>
            <Link href={proposalPath(proposal.id)} class={styles.title} dir="auto">
              {proposal.title}
            </Link>
            <Badge>{value.changes.has(proposal.rowKey) ? t('Change') : t('New note')}</Badge>
          </p>
          <code class={styles.path} translate={false}>
            {proposal.rowKey}
          </code>
          <ProposalFacts proposal={proposal} />
        </li>
      ))}
    </ul>
  );
}

function Decided() {
  const { value, problem, reload } = useRequest((signal) => listProposals(true, signal), []);
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={8} />;
  if (value.length === 0) return <EmptyState icon="check" title={t('Nothing was decided yet')} />;
  return (
    <ul class={styles.list}>
      {value.map((proposal) => (
        <DecidedProposal key={proposal.id} proposal={proposal} />
      ))}
    </ul>
  );
}

function DecidedProposal({ proposal }: { proposal: Proposal }) {
  return (
    <li class={styles.proposal}>
      <p class={styles.head}>
        <ItemName proposal={proposal} isThere={proposal.state === 'accepted'} />
        <StateBadge proposal={proposal} />
      </p>
      <ProposalFacts proposal={proposal} />
      <DecisionFacts proposal={proposal} />
    </li>
  );
}
