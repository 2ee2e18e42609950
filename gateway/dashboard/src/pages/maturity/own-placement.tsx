import type {
  AxisExplanation,
  ExplainSnapshotResponse,
  LevelCondition,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Select } from '../../components/field.tsx';
import { Meter } from '../../components/meter.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { useRequest } from '../../data/use-request.ts';
import { numberText, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { axisName, highestAxis } from './axes.ts';
import styles from './maturity.module.css';
import { NextLevel } from './next-level.tsx';

/** Days to choose from. */
const shownDays = 60;

/** One's own placement on a day, and what each axis came from. Nobody else sees it but administrators of the installation. */
export function OwnPlacement() {
  const [chosen, setChosen] = useState<string>();
  const {
    value: snapshots,
    problem,
    reload,
  } = useRequest(
    async (signal) => (await rpc.analytics.listSnapshots({ pageSize: shownDays }, { signal })).snapshots,
    [],
  );
  const date = chosen ?? snapshots?.[0]?.date;
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (snapshots === undefined || date === undefined) return null;
  return (
    <Card
      title={t('You')}
      actions={
        <Select
          label={t('Day of your snapshot')}
          isLabelHidden
          value={date}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {snapshots.map((snapshot) => (
            <option key={snapshot.date} value={snapshot.date}>
              {snapshot.date}
            </option>
          ))}
        </Select>
      }
    >
      <Explained date={date} metric={snapshots[0]?.metric ?? ''} />
    </Card>
  );
}

function Explained({ date, metric }: { date: string; metric: string }) {
  const { value, problem, reload } = useRequest(
    (signal) => rpc.analytics.explainSnapshot({ date, metric }, { signal }),
    [date, metric],
  );
  return (
    <>
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={8} />}
      {value !== undefined && <Explanation snapshot={value} />}
    </>
  );
}

function Explanation({ snapshot }: { snapshot: ExplainSnapshotResponse }) {
  return (
    <>
      <p class={styles.level}>
        {t('{spine} from {sessions} sessions and {tasks} tasks in {windowDays} days', {
          spine: <strong>{snapshot.canonical?.spine}</strong>,
          sessions: snapshot.sessions,
          tasks: snapshot.tasks,
          windowDays: snapshot.windowDays,
        })}
      </p>
      <NextLevel conditions={snapshot.conditions} />
      {snapshot.axes.map((axis) => (
        <Axis key={axis.axis} axis={axis} />
      ))}
      <h3 class={styles.heading}>{t('What each level asks for')}</h3>
      <Table
        caption={t('Conditions of the levels')}
        rows={snapshot.conditions}
        keyOf={({ level, measure }) => `${level} ${measure}`}
        columns={[
          { heading: t('Level'), cell: ({ level }) => level },
          { heading: t('Measure'), cell: ({ measure }) => axisName(measure) },
          { heading: t('At least'), cell: ({ atLeast }) => numberText(atLeast), isNumber: true },
          { heading: t('You'), cell: ownValue, isNumber: true },
          {
            heading: t('Met'),
            cell: ({ met }) => <Badge tone={met ? 'good' : 'warn'}>{met ? t('yes') : t('not yet')}</Badge>,
          },
        ]}
      />
    </>
  );
}

function ownValue({ value }: LevelCondition) {
  return value === undefined ? t('not measured') : numberText(value);
}

function Axis({ axis: { axis, value, parts } }: { axis: AxisExplanation }) {
  return (
    <details class={styles.axis}>
      <summary>
        <Meter
          label={axisName(axis)}
          value={value}
          max={highestAxis}
          words={t('{value} of {highest}', { value, highest: highestAxis })}
        />
      </summary>
      <Table
        caption={t('What {axis} came from', { axis: axisName(axis) })}
        rows={parts}
        keyOf={({ signal }) => signal}
        columns={[
          { heading: t('Signal'), cell: ({ signal }) => axisName(signal) },
          {
            heading: t('Measured'),
            cell: (part) => (part.value === undefined ? t('not measured') : numberText(part.value)),
            isNumber: true,
          },
          { heading: t('Weight'), cell: ({ weight }) => numberText(weight), isNumber: true },
          { heading: t('Rating, 0 to 1'), cell: ({ rating }) => numberText(rating, 2), isNumber: true },
          { heading: t('Points'), cell: ({ points }) => numberText(points, 2), isNumber: true },
        ]}
      />
    </details>
  );
}
