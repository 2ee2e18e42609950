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
import { rpc } from '../../service/rpc.ts';
import styles from './readiness.module.css';

/** Scans that the chart and its table show. */
const shownScans = 100;

/** What the parts of a score are called, in words. */
const partNames: Readonly<Record<string, string>> = {
  instruction_files: 'Instruction files',
  skills: 'Skills',
  commands: 'Commands',
  readiness: 'Checks passed',
  level: 'Level',
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
    <Page title={slug} description={<Link href="/readiness">All codebases</Link>}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {scans === undefined && problem === undefined && <Skeleton lines={8} />}
      {scans !== undefined && headSha !== undefined && (
        <>
          <ScoreOverCommits scans={scans} />
          <ScoreParts slug={slug} headSha={headSha} />
          <Card title="Scans" isFlush>
            <Table
              caption={`Scans of ${slug}, the newest first`}
              rows={scans}
              keyOf={(scan) => scan.headSha}
              columns={[
                { heading: 'Commit', cell: (scan) => <code>{scan.headSha.slice(0, 12)}</code> },
                {
                  heading: 'Score',
                  cell: ({ agenticScore }) => agenticScore.toLocaleString(),
                  isNumber: true,
                },
                { heading: 'Level', cell: ({ readinessLevel }) => <LevelBadge level={readinessLevel} /> },
                {
                  heading: 'Scanned',
                  cell: ({ pushedAt }) =>
                    pushedAt === undefined ? '–' : <When at={timestampDate(pushedAt)} />,
                },
                {
                  heading: 'Explain',
                  isHeadingHidden: true,
                  cell: (scan) => (
                    <Button
                      kind="quiet"
                      aria-pressed={scan.headSha === headSha}
                      aria-label={`Explain the score of ${scan.headSha.slice(0, 12)}`}
                      onClick={() => setChosen(scan.headSha)}
                    >
                      Explain
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
      lines: [{ label: 'Score', values: oldestFirst.map(({ agenticScore }) => agenticScore) }],
    };
  }, [scans]);
  return (
    <Card title="Score over commits">
      <LineChart
        label="The score of each scanned commit, 0 to 100. The table of scans below has the same figures."
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
    <Card title={`What the points of ${headSha.slice(0, 12)} came from`}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={5} />}
      {value !== undefined && <Explanation scan={value} />}
    </Card>
  );
}

function Explanation({ scan }: { scan: ExplainScanResponse }) {
  const pillars = Object.entries(scan.metrics?.readinessPillars ?? {});
  return (
    <div class={styles.columns}>
      <section aria-label="Parts of the score">
        <p class={styles.total}>
          <strong>{scan.agenticScore.toLocaleString()}</strong> of 100
          {scan.maxScore < 100 && `, at most ${scan.maxScore} without an instruction file`}
        </p>
        {scan.parts.map(({ name, points, maxPoints }) => (
          <Meter
            key={name}
            label={partNames[name] ?? name}
            value={points}
            max={maxPoints}
            words={`${points.toLocaleString(undefined, { maximumFractionDigits: 1 })} of ${maxPoints.toLocaleString()}`}
          />
        ))}
      </section>
      <section aria-label="Pillars">
        <h3 class={styles.heading}>Checks by pillar</h3>
        {pillars.length === 0 && <p class={styles.note}>This scan names no pillars.</p>}
        {pillars.map(([name, { passed, total }]) => (
          <Meter key={name} label={name} value={passed} max={total} words={`${passed} of ${total}`} />
        ))}
      </section>
    </div>
  );
}
