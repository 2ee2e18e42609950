import type { GetRollupResponse, TeamPlacement } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { useMemo } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LineChart } from '../../components/line-chart.tsx';
import { Meter } from '../../components/meter.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { Day } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { numberText, plural, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { session } from '../../service/session.ts';
import { axes, axisName, highestAxis } from './axes.ts';
import styles from './maturity.module.css';
import { OwnPlacement } from './own-placement.tsx';

const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'];
const shownWeeks = 12;

/** How the team works with agents: the rollup, which hides single members, and one's own placement. */
export default function MaturityPage() {
  const { value, problem, reload } = useRequest(
    (signal) => rpc.analytics.getRollup({ weeks: shownWeeks }, { signal }),
    [],
  );
  return (
    <Page
      title={t('Maturity')}
      description={t(
        'How your team works with agents. Only groups of at least three are shown, so nobody’s figures can be told.',
      )}
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={8} />}
      {value !== undefined && <Rollup rollup={value} />}
      {/* Below the others, which would move it when they come. */}
      {(value !== undefined || problem !== undefined) && <OwnPlacement />}
    </Page>
  );
}

function Rollup({ rollup }: { rollup: GetRollupResponse }) {
  const { current, trend } = rollup;
  if (current === undefined || current.members === 0) return <NoSnapshots />;
  if (current.withheld) return <Withheld members={current.members} />;
  return (
    <>
      <div class={styles.columns}>
        <Card title={t('Members at each level')}>
          {levels.map((level) => (
            <Meter
              key={level}
              label={level}
              value={current.spines[level] ?? 0}
              max={current.members}
              words={numberText(current.spines[level] ?? 0)}
            />
          ))}
          <p class={styles.note}>
            {t(
              '{count} members sent snapshots. Each level counts groups of at least three neighbours, at their mean.',
              { count: current.members },
            )}
          </p>
        </Card>
        <Card title={t('Median of each axis')}>
          {axes.map((axis) => (
            <Meter
              key={axis}
              label={axisName(axis)}
              value={current.medianAxes[axis] ?? 0}
              max={highestAxis}
              words={t('{value} of {highest}', {
                value: current.medianAxes[axis] ?? 0,
                highest: highestAxis,
              })}
            />
          ))}
          <p class={styles.note}>{t('In steps of half a point.')}</p>
        </Card>
      </div>
      <Trend trend={trend} />
    </>
  );
}

function Trend({ trend }: { trend: GetRollupResponse['trend'] }) {
  const { places, lines } = useMemo(
    () => ({
      places: trend.map(({ week }) => week.slice(5)),
      lines: axes.map((axis) => ({
        label: axisName(axis),
        values: trend.map(({ placement }) => shownAxis(placement, axis)),
      })),
    }),
    [trend],
  );
  return (
    <Card title={t('Week by week')}>
      <LineChart
        label={t('The median of each axis in each week, 0 to 4. The table below has the same figures.')}
        places={places}
        lines={lines}
        highest={highestAxis}
      />
      <Table
        caption={t('The median of each axis in each week')}
        rows={trend}
        keyOf={({ week }) => week}
        columns={[
          { heading: t('Week of'), cell: ({ week }) => <Day value={week} /> },
          { heading: t('Members'), cell: ({ placement }) => placement?.members ?? 0, isNumber: true },
          ...axes.map((axis) => ({
            heading: axisName(axis),
            cell: ({ placement }: { placement?: TeamPlacement }) => axisText(placement, axis),
            isNumber: true,
          })),
        ]}
      />
      <p class={styles.note}>{t('A week of one or two members is withheld.')}</p>
    </Card>
  );
}

function shownAxis(placement: TeamPlacement | undefined, axis: string): number | null {
  return placement === undefined || placement.withheld ? null : (placement.medianAxes[axis] ?? null);
}

function axisText(placement: TeamPlacement | undefined, axis: string): string {
  const value = shownAxis(placement, axis);
  if (value !== null) return numberText(value);
  return placement?.members ? t('withheld') : '–';
}

function Withheld({ members }: { members: number }) {
  return (
    <Notice>
      <p>
        <strong>
          {plural(
            members,
            '1 member has sent snapshots, and the figures are withheld.',
            '{count} members have sent snapshots, and the figures are withheld.',
          )}
        </strong>
      </p>
      <p>
        {t(
          'From the figures of fewer than three people one could tell whose they are. They appear when a third member sends snapshots.',
        )}
      </p>
    </Notice>
  );
}

function NoSnapshots() {
  return (
    <EmptyState
      icon="maturity"
      title={t('Nobody has sent a snapshot yet')}
      command={`TMS_KEY=… tms report --url ${location.origin} --team ${session.value?.team}`}
    >
      {t(
        'A snapshot has ratios and counts of one member’s week with agents, never what was said. This counts yours on your machine, and asks before it sends them:',
      )}
    </EmptyState>
  );
}
