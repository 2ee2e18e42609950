import { Card } from '../../components/card.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { DecisionFacts, StateBadge } from './proposal-facts.tsx';
import { readNewestProposals } from './proposals.ts';
import styles from './review.module.css';

/** Proposals that the start page shows; agents read the others in their list of changes. */
const shownProposals = 20;

/** What became of the proposals of who is signed in. Nothing for a member who has none. */
export function OwnProposals() {
  const { value } = useRequest((signal) => readNewestProposals(shownProposals, signal), []);
  if (value === undefined || value.proposals.length === 0) return null;
  return (
    <Card title={t('Your proposals')}>
      <ul>
        {value.proposals.map((proposal) => (
          <li key={proposal.id} class={styles.proposal}>
            <p class={styles.head}>
              <span class={styles.path} translate={false}>
                {proposal.rowKey}
              </span>
              <StateBadge proposal={proposal} />
            </p>
            <DecisionFacts proposal={proposal} />
          </li>
        ))}
      </ul>
      {value.hasMore && <p class={styles.facts}>{t('There are older ones.')}</p>}
    </Card>
  );
}
