import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CodebaseSummary } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { usePathname } from 'wouter-preact/use-browser-location';
import { Badge, LevelBadge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { everyPage } from '../../data/every-page.ts';
import { useRequest } from '../../data/use-request.ts';
import { locale, numberText, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { session } from '../../service/session.ts';
import { CodebaseView } from './codebase-view.tsx';
import { FailedChecks } from './failed-checks.tsx';
import styles from './readiness.module.css';
import { changeOf, type Order, ordered, readTrends } from './trends.ts';

/** Codebases that a team may have; the service refuses more. */
const [pageSize, maxPages] = [100, 5];

const gains = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });

/** How ready the team's codebases are for agents: all of them, or the one in the path. */
export default function ReadinessPage() {
  const slug = decoded(usePathname().split('/')[2] ?? '');
  return slug === '' ? <Codebases /> : <CodebaseView key={slug} slug={slug} />;
}

/** A part of an address as it was meant; one that is not encoded well stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function Codebases() {
  const { value, problem, reload } = useRequest(readCodebases, []);
  const { value: trends } = useRequest(
    async (signal) => (value === undefined ? undefined : readTrends(value, signal)),
    [value],
  );
  const [order, setOrder] = useState<Order>('name');
  const scoresOf = ({ codebase }: CodebaseSummary) => trends?.get(codebase?.slug ?? '');
  return (
    <Page
      title={t('Readiness')}
      description={t('How well agents can work in your codebases, from the scans that your team pushed.')}
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={6} />}
      {value?.length === 0 && <NoScans />}
      {value !== undefined && <FailedChecks codebases={value} />}
      {value !== undefined && value.length > 0 && (
        <Card
          title={t('Codebases')}
          isFlush
          actions={
            <Select
              label={t('Order of the codebases')}
              isLabelHidden
              value={order}
              onChange={(event) => setOrder(event.currentTarget.value as Order)}
            >
              <option value="name">{t('By name')}</option>
              <option value="score">{t('Highest score first')}</option>
              <option value="change">{t('Largest gain first')}</option>
            </Select>
          }
        >
          <Table
            caption={t('Codebases and their newest scans')}
            rows={ordered(value, order, trends)}
            keyOf={({ codebase }) => codebase?.slug ?? ''}
            columns={[
              { heading: t('Codebase'), cell: nameCell },
              {
                heading: t('Level'),
                cell: ({ newestScan }) => <LevelBadge level={newestScan?.readinessLevel} />,
              },
              {
                heading: t('Score'),
                cell: ({ newestScan }) =>
                  newestScan === undefined ? '–' : numberText(newestScan.agenticScore),
                isNumber: true,
              },
              {
                heading: t('Since first scan'),
                cell: (each) => (
                  <span class={styles.trend}>
                    <Sparkline values={scoresOf(each) ?? []} highest={100} />
                    {changeWords(changeOf(scoresOf(each)))}
                  </span>
                ),
                isNumber: true,
              },
              { heading: t('Pillars passed'), cell: pillarsCell, isNumber: true },
              {
                heading: t('Last commit'),
                cell: ({ newestScan }) => <code>{newestScan?.headSha.slice(0, 7)}</code>,
              },
              {
                heading: t('Scanned'),
                cell: ({ newestScan }) =>
                  newestScan?.pushedAt === undefined ? '–' : <When at={timestampDate(newestScan.pushedAt)} />,
              },
            ]}
          />
        </Card>
      )}
    </Page>
  );
}

function changeWords(change: number | undefined): string {
  return change === undefined ? '–' : gains.format(change);
}

function nameCell({ codebase }: CodebaseSummary) {
  return (
    <>
      <Link href={`/readiness/${encodeURIComponent(codebase?.slug ?? '')}`}>{codebase?.fullName}</Link>{' '}
      <Badge>{codebase?.provider}</Badge>
    </>
  );
}

function pillarsCell({ newestScan }: CodebaseSummary) {
  const pillars = Object.values(newestScan?.readinessPillars ?? {});
  const whole = pillars.filter(({ passed, total }) => total > 0 && passed === total).length;
  return t('{passed} of {total}', { passed: whole, total: pillars.length });
}

function NoScans() {
  return (
    <EmptyState
      icon="readiness"
      title={t('No codebase was scanned yet')}
      command={`TMS_KEY=… tms scan --push --url ${location.origin} --team ${session.value?.team}`}
    >
      {t(
        'A scan says what was found in a repository at one commit. Run it in a repository, by hand or in CI:',
      )}
    </EmptyState>
  );
}

function readCodebases(signal: AbortSignal): Promise<CodebaseSummary[]> {
  return everyPage(
    (pageToken) => rpc.analytics.listCodebases({ pageSize, pageToken }, { signal }),
    ({ codebases }) => codebases,
    maxPages,
  );
}
