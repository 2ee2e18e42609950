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
import { rpc } from '../../service/rpc.ts';
import { axisName, highestAxis } from './axes.ts';
import styles from './maturity.module.css';

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
      title="You"
      actions={
        <Select
          label="Day of your snapshot"
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
        <strong>{snapshot.canonical?.spine}</strong> from {snapshot.sessions} sessions and {snapshot.tasks}{' '}
        tasks in {snapshot.windowDays} days
      </p>
      {snapshot.axes.map((axis) => (
        <Axis key={axis.axis} axis={axis} />
      ))}
      <h3 class={styles.heading}>What each level asks for</h3>
      <Table
        caption="Conditions of the levels"
        rows={snapshot.conditions}
        keyOf={({ level, measure }) => `${level} ${measure}`}
        columns={[
          { heading: 'Level', cell: ({ level }) => level },
          { heading: 'Measure', cell: ({ measure }) => axisName(measure) },
          { heading: 'At least', cell: ({ atLeast }) => atLeast.toLocaleString(), isNumber: true },
          { heading: 'You', cell: ownValue, isNumber: true },
          {
            heading: 'Met',
            cell: ({ met }) => <Badge tone={met ? 'good' : 'warn'}>{met ? 'yes' : 'not yet'}</Badge>,
          },
        ]}
      />
    </>
  );
}

function ownValue({ value }: LevelCondition) {
  return value === undefined ? 'not measured' : value.toLocaleString();
}

function Axis({ axis: { axis, value, parts } }: { axis: AxisExplanation }) {
  return (
    <details class={styles.axis}>
      <summary>
        <Meter
          label={axisName(axis)}
          value={value}
          max={highestAxis}
          words={`${value.toLocaleString()} of 4`}
        />
      </summary>
      <Table
        caption={`What ${axisName(axis)} came from`}
        rows={parts}
        keyOf={({ signal }) => signal}
        columns={[
          { heading: 'Signal', cell: ({ signal }) => axisName(signal) },
          {
            heading: 'Measured',
            cell: (part) => part.value?.toLocaleString() ?? 'not measured',
            isNumber: true,
          },
          { heading: 'Weight', cell: ({ weight }) => weight.toLocaleString(), isNumber: true },
          { heading: 'Rating, 0 to 1', cell: ({ rating }) => rating.toFixed(2), isNumber: true },
          { heading: 'Points', cell: ({ points }) => points.toFixed(2), isNumber: true },
        ]}
      />
    </details>
  );
}
