import type { Finding } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../language/language.ts';
import { checkWords } from './checks.ts';

const statuses: ReadonlyMap<string, string> = new Map([
  ['pass', t('passed')],
  ['fail', t('failed')],
  ['waived', t('waived')],
  ['unknown', t('unknown')],
]);

/** The checks of a scan one by one, failures first; nothing if it names none. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  const applying = findings.filter(({ status }) => status !== 'does_not_apply');
  const rows = applying.toSorted((one, other) => Number(isFailure(other)) - Number(isFailure(one)));
  return (
    <Card title={t('Checks of this scan')} isFlush>
      <Table
        caption={t('Checks and where they were decided')}
        rows={rows}
        keyOf={(finding) => String(rows.indexOf(finding))}
        columns={[
          { heading: t('Check'), cell: ({ check }) => checkWords(check).title },
          {
            heading: t('Result'),
            cell: (finding) => (
              <Badge tone={isFailure(finding) ? 'warn' : finding.status === 'pass' ? 'good' : 'neutral'}>
                {statuses.get(finding.status) ?? finding.status}
              </Badge>
            ),
          },
          { heading: t('Where'), cell: whereCell },
          {
            heading: t('What to do'),
            cell: (finding) => (isFailure(finding) && checkWords(finding.check).fix) || '–',
          },
        ]}
      />
    </Card>
  );
}

function isFailure({ status }: Finding): boolean {
  return status === 'fail';
}

function whereCell({ workspace, path, line }: Finding) {
  const place = path || workspace;
  if (place === '') return '–';
  return <code>{path !== '' && line > 0 ? `${place}:${line}` : place}</code>;
}
