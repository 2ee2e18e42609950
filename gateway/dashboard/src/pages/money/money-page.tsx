import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { DaySpending, UsageRow } from '@teammemory/proto/query/v1/query_pb.ts';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { Day, When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamAdministrator } from '../../service/session.ts';
import { loadMembers } from '../team/team-data.ts';
import { DayBars } from './day-bars.tsx';
import styles from './money-page.module.css';
import { asMoney, costByDay, dollars, readUsage, type Share, sharesBy } from './usage.ts';

interface Money {
  spending: Awaited<ReturnType<typeof rpc.query.getSpending>>;
  rows: UsageRow[];
  /** Handles by id; empty unless the session may list members. */
  handles: ReadonlyMap<string, string>;
}

/** What calls to models cost: today against the caps, and the last 30 days by day, member and model. */
export default function MoneyPage() {
  const { value, problem, reload } = useRequest(readMoney, []);
  return (
    <Page
      title="Money"
      description="What calls to models cost. A question that could exceed a cap is refused before it is asked."
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={8} />}
      {value !== undefined && <Spending money={value} />}
    </Page>
  );
}

function Spending({ money: { spending, rows, handles } }: { money: Money }) {
  const { team, member, resetAt, day } = spending;
  const days = costByDay(rows, day);
  const total = days.reduce((sum, { cost }) => sum + cost, 0);
  const nameOf = ({ memberId }: UsageRow) =>
    memberId === '' ? 'the team' : (handles.get(memberId) ?? 'a removed member');
  return (
    <>
      <div class={styles.today}>
        {team !== undefined && <Today title="Your team today" spending={team} />}
        {member !== undefined && <Today title="You today" spending={member} />}
      </div>
      {resetAt !== undefined && (
        <p class={styles.note}>
          Both begin at zero again <When at={timestampDate(resetAt)} />. The caps are settings of the service,
          DAILY_TEAM_CAP_USD and DAILY_MEMBER_CAP_USD.
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState icon="money" title="Nothing was spent in the last 30 days">
          Without a model, answers are quoted from your texts and cost nothing. An operator who sets
          OPENAI_API_KEY and OPENAI_MODEL lets a model write them.
        </EmptyState>
      ) : (
        <>
          <Card
            title={`${isTeamAdministrator() ? 'The team' : 'You'} in the last 30 days: ${asMoney(total)}`}
          >
            <DayBars days={days} />
          </Card>
          {isTeamAdministrator() && (
            <Card title="By member" isFlush>
              <Shares
                caption="Spending of the last 30 days by member"
                heading="Member"
                shares={sharesBy(rows, nameOf)}
              />
            </Card>
          )}
          <Card title="By model" isFlush>
            <Shares
              caption="Spending of the last 30 days by model"
              heading="Model"
              shares={sharesBy(rows, ({ model }) => model)}
            />
          </Card>
          <details class={styles.days}>
            <summary>The days as a table</summary>
            <Table
              caption="Spending by day"
              rows={days.filter(({ cost }) => cost > 0).reverse()}
              keyOf={(row) => row.day}
              columns={[
                { heading: 'Day (UTC)', cell: (row) => <Day value={row.day} /> },
                { heading: 'Cost', cell: ({ cost }) => asMoney(cost), isNumber: true },
              ]}
            />
          </details>
        </>
      )}
    </>
  );
}

function Today({ title, spending }: { title: string; spending: DaySpending }) {
  const spent = dollars(spending.spentMicroDollars);
  const reserved = dollars(spending.reservedMicroDollars);
  const cap = dollars(spending.capMicroDollars);
  const used = spent + reserved;
  return (
    <Card title={title}>
      <p class={styles.amount}>
        <strong>{asMoney(spent)}</strong> of {asMoney(cap)}
      </p>
      <meter
        class={styles.meter}
        min={0}
        max={Math.max(cap, used, Number.MIN_VALUE)}
        high={cap * 0.8}
        value={used}
        aria-label={`${title}: ${asMoney(used)} of ${asMoney(cap)}`}
      />
      <p class={styles.note}>
        {reserved === 0
          ? 'Nothing is reserved now.'
          : `${asMoney(reserved)} is reserved for calls in progress.`}
      </p>
    </Card>
  );
}

function Shares({
  caption,
  heading,
  shares,
}: {
  caption: string;
  heading: string;
  shares: readonly Share[];
}) {
  return (
    <Table
      caption={caption}
      rows={shares}
      keyOf={({ name }) => name}
      columns={[
        { heading, cell: ({ name }) => name },
        { heading: 'Calls', cell: ({ calls }) => calls.toLocaleString(), isNumber: true },
        { heading: 'Tokens', cell: ({ tokens }) => tokens.toLocaleString(), isNumber: true },
        { heading: 'Cost', cell: ({ cost }) => asMoney(cost), isNumber: true },
      ]}
    />
  );
}

async function readMoney(signal: AbortSignal): Promise<Money> {
  const [spending, rows, members] = await Promise.all([
    rpc.query.getSpending({}, { signal }),
    readUsage(signal),
    isTeamAdministrator() ? loadMembers(signal) : [],
  ]);
  return { spending, rows, handles: new Map(members.map(({ memberId, handle }) => [memberId, handle])) };
}
