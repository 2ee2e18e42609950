import type { CodebaseSummary } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { Card } from '../../components/card.tsx';
import { Table } from '../../components/table.tsx';
import { numberText, t } from '../../language/language.ts';
import { checkWords } from './checks.ts';

/** Checks that are shown; more is no plan. */
const shownChecks = 10;

/** The checks that failed in most codebases, and what to do about each; nothing where no scan names its checks. */
export function FailedChecks({ codebases }: { codebases: readonly CodebaseSummary[] }) {
  const counts = new Map<string, number>();
  for (const { newestScan } of codebases) {
    for (const check of newestScan?.failedChecks ?? []) counts.set(check, (counts.get(check) ?? 0) + 1);
  }
  const rows = [...counts].sort(([, one], [, other]) => other - one).slice(0, shownChecks);
  if (rows.length === 0) return null;
  return (
    <Card title={t('What to do next')} isFlush>
      <Table
        caption={t('Checks that failed in most codebases')}
        rows={rows}
        keyOf={([check]) => check}
        columns={[
          { heading: t('Check'), cell: ([check]) => checkWords(check).title },
          { heading: t('What to do'), cell: ([check]) => checkWords(check).fix || '–' },
          { heading: t('Codebases'), cell: ([, count]) => numberText(count), isNumber: true },
        ]}
      />
    </Card>
  );
}
