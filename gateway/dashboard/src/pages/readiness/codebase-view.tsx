import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ExplainScanResponse, ScanSummary } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { LevelBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { LineChart } from '../../components/line-chart.tsx';
import { Meter } from '../../components/meter.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { numberText, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { Findings } from './findings.tsx';
import styles from './readiness.module.css';

/** Scans that the chart and its table show. */
const shownScans = 100;

/** What the parts of a score are called, in words. */
const partNames: Readonly<Record<string, string>> = {
  instruction_files: t('Instruction files'),
  skills: t('Skills'),
  commands: t('Commands'),
  readiness: t('Checks passed'),
  level: t('Level'),
};

/** One codebase: its score over commits, and what each point of one of them came from. */
export function CodebaseView({ slug }: { slug: string }) {
  const [chosen, setChosen] = useState<string>();
  const {
    value: scans,
    problem,
    reload,
  } = useRequest(
    async (signal) =>
      (await rpc.analytics.listScans({ codebaseSlug: slug, pageSize: shownScans }, { signal })).scans,
    [slug],
  );
  const headSha = chosen ?? scans?.[0]?.headSha;
  return (
    <Page title={slug} description={<Link href="/readiness">{t('All codebases')}</Link>}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {scans === undefined && problem === undefined && <Skeleton lines={8} />}
      {scans !== undefined && headSha !== undefined && (
        <>
          <ScoreOverCommits scans={scans} />
          <ScoreParts slug={slug} headSha={headSha} />
          <Card title={t('Scans')} isFlush>
            <Table
              caption={t('Scans of {slug}, the newest first', { slug })}
              rows={scans}
              keyOf={(scan) => scan.headSha}
              columns={[
                { heading: t('Commit'), cell: (scan) => <code>{scan.headSha.slice(0, 12)}</code> },
                {
                  heading: t('Score'),
                  cell: ({ agenticScore }) => numberText(agenticScore),
                  isNumber: true,
                },
                { heading: t('Level'), cell: ({ readinessLevel }) => <LevelBadge level={readinessLevel} /> },
                {
                  heading: t('Scanned'),
                  cell: ({ pushedAt }) =>
                    pushedAt === undefined ? '–' : <When at={timestampDate(pushedAt)} />,
                },
                {
                  heading: t('Explain'),
                  isHeadingHidden: true,
                  cell: (scan) => (
                    <Button
                      kind="quiet"
                      aria-pressed={scan.headSha === headSha}
                      aria-label={t('Explain the score of {headSha}', { headSha: scan.headSha.slice(0, 12) })}
                      onClick={() => setChosen(scan.headSha)}
                    >
                      {t('Explain')}
                    </Button>
                  ),
                },
              ]}
            />
          </Card>
        </>
      )}
    </Page>
  );
}

function ScoreOverCommits({ scans }: { scans: readonly ScanSummary[] }) {
  const { places, lines } = useMemo(() => {
    const oldestFirst = scans.toReversed();
    return {
      places: oldestFirst.map(({ headSha }) => headSha.slice(0, 7)),
      lines: [{ label: t('Score'), values: oldestFirst.map(({ agenticScore }) => agenticScore) }],
    };
  }, [scans]);
  return (
    <Card title={t('Score over commits')}>
      <LineChart
        label={t(
          'The score of each scanned commit, 0 to 100. The table of scans below has the same figures.',
        )}
        places={places}
        lines={lines}
        highest={100}
      />
    </Card>
  );
}

function ScoreParts({ slug, headSha }: { slug: string; headSha: string }) {
  const { value, problem, reload } = useRequest(
    (signal) => rpc.analytics.explainScan({ codebaseSlug: slug, headSha }, { signal }),
    [slug, headSha],
  );
  return (
    <>
      <Card title={t('What the points of {headSha} came from', { headSha: headSha.slice(0, 12) })}>
        <ProblemNotice problem={problem} onRetry={reload} />
        {value === undefined && problem === undefined && <Skeleton lines={5} />}
        {value !== undefined && <Explanation scan={value} />}
      </Card>
      {value !== undefined && <Findings findings={value.metrics?.findings ?? []} />}
    </>
  );
}

function Explanation({ scan }: { scan: ExplainScanResponse }) {
  const pillars = Object.entries(scan.metrics?.readinessPillars ?? {});
  return (
    <div class={styles.columns}>
      <section aria-label={t('Parts of the score')}>
        <p class={styles.total}>
          {t(
            scan.maxScore < 100
              ? '{score} of 100, at most {most} without an instruction file'
              : '{score} of 100',
            { score: <strong>{numberText(scan.agenticScore)}</strong>, most: scan.maxScore },
          )}
        </p>
        {scan.parts.map(({ name, points, maxPoints }) => (
          <Meter
            key={name}
            label={partNames[name] ?? name}
            value={points}
            max={maxPoints}
            words={t('{points} of {maxPoints}', {
              points: Math.round(points * 10) / 10,
              maxPoints,
            })}
          />
        ))}
      </section>
      <section aria-label={t('Pillars')}>
        <h3 class={styles.heading}>{t('Checks by pillar')}</h3>
        {pillars.length === 0 && <p class={styles.note}>{t('This scan names no pillars.')}</p>}
        {pillars.map(([name, { passed, total }]) => (
          <Meter
            key={name}
            label={name}
            value={passed}
            max={total}
            words={t('{passed} of {total}', { passed, total })}
          />
        ))}
      </section>
    </div>
  );
}
