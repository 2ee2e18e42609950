import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { t } from '../../language/language.ts';
import { mayCreate } from './decision.ts';
import { DecisionEditor } from './decision-editor.tsx';

/** The page on which a new decision is written. */
export default function NewDecisionPage() {
  return (
    <Page title={t('New decision')} isNarrow>
      {mayCreate() ? (
        <DecisionEditor />
      ) : (
        <EmptyState icon="decisions" title={t('Your key writes no decisions')}>
          {t('Decisions are written by members of the team whose key may write.')}
        </EmptyState>
      )}
    </Page>
  );
}
