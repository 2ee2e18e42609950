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
import { numberText, t } from '../../language/language.ts';
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
      title={t('Money')}
      description={t(
        'What calls to models cost. A question that could exceed a cap is refused before it is asked.',
      )}
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
    memberId === '' ? t('the team') : (handles.get(memberId) ?? t('a removed member'));
  return (
    <>
      <div class={styles.today}>
        {team !== undefined && <Today title={t('Your team today')} spending={team} />}
        {member !== undefined && <Today title={t('You today')} spending={member} />}
      </div>
      {resetAt !== undefined && (
        <p class={styles.note}>
          {t(
            'Both begin at zero again {when}. The caps are settings of the service, DAILY_TEAM_CAP_USD and DAILY_MEMBER_CAP_USD.',
            { when: <When at={timestampDate(resetAt)} /> },
          )}
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState icon="money" title={t('Nothing was spent in the last 30 days')}>
          {t(
            'Without a model, answers are quoted from your texts and cost nothing. An operator who sets OPENAI_API_KEY and OPENAI_MODEL lets a model write them.',
          )}
        </EmptyState>
      ) : (
        <>
          <Card
            title={t(
              isTeamAdministrator()
                ? 'The team in the last 30 days: {total}'
                : 'You in the last 30 days: {total}',
              { total: asMoney(total) },
            )}
          >
            <DayBars days={days} />
          </Card>
          {isTeamAdministrator() && (
            <Card title={t('By member')} isFlush>
              <Shares
                caption={t('Spending of the last 30 days by member')}
                heading={t('Member')}
                shares={sharesBy(rows, nameOf)}
              />
            </Card>
          )}
          <Card title={t('By model')} isFlush>
            <Shares
              caption={t('Spending of the last 30 days by model')}
              heading={t('Model')}
              shares={sharesBy(rows, ({ model }) => model)}
            />
          </Card>
          <details class={styles.days}>
            <summary>{t('The days as a table')}</summary>
            <Table
              caption={t('Spending by day')}
              rows={days.filter(({ cost }) => cost > 0).reverse()}
              keyOf={(row) => row.day}
              columns={[
                { heading: t('Day (UTC)'), cell: (row) => <Day value={row.day} /> },
                { heading: t('Cost'), cell: ({ cost }) => asMoney(cost), isNumber: true },
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
        {t('{spent} of {cap}', { spent: <strong>{asMoney(spent)}</strong>, cap: asMoney(cap) })}
      </p>
      <meter
        class={styles.meter}
        min={0}
        max={Math.max(cap, used, Number.MIN_VALUE)}
        high={cap * 0.8}
        value={used}
        aria-label={t('{title}: {used} of {cap}', { title, used: asMoney(used), cap: asMoney(cap) })}
      />
      <p class={styles.note}>
        {reserved === 0
          ? t('Nothing is reserved now.')
          : t('{reserved} is reserved for calls in progress.', { reserved: asMoney(reserved) })}
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
        { heading: t('Calls'), cell: ({ calls }) => numberText(calls), isNumber: true },
        { heading: t('Tokens'), cell: ({ tokens }) => numberText(tokens), isNumber: true },
        { heading: t('Cost'), cell: ({ cost }) => asMoney(cost), isNumber: true },
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
