import { Page } from '../../components/page.tsx';

/** Asks the team's memory. */
export default function AskPage() {
  return (
    <Page title="Ask" isNarrow>
      <p>soon</p>
    </Page>
  );
}
