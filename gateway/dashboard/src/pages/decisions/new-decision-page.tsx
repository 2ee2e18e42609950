import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { mayCreate } from './decision.ts';
import { DecisionEditor } from './decision-editor.tsx';

/** The page on which a new decision is written. */
export default function NewDecisionPage() {
  return (
    <Page title="New decision" isNarrow>
      {mayCreate() ? (
        <DecisionEditor />
      ) : (
        <EmptyState icon="decisions" title="Your key writes no decisions">
          Decisions are written by members of the team whose key may write.
        </EmptyState>
      )}
    </Page>
  );
}
