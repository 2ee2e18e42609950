import type { UsageRow } from '@teammemory/proto/query/v1/query_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import { locale } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';

/** Days that the page looks back. */
const shownDays = 30;
/** Rows of one call, and calls: more than 30 days of any team that fits into them. */
const [pageSize, maxPages] = [200, 100];

/** One day's, member's or model's share. */
export interface Share {
  name: string;
  calls: number;
  tokens: number;
  /** US dollars. */
  cost: number;
}

/** Reads the usage of the last 30 days that the session may see. */
export function readUsage(signal: AbortSignal): Promise<UsageRow[]> {
  return everyPage(
    (pageToken) => rpc.query.getUsage({ pageSize, pageToken }, { signal }),
    ({ rows }) => rows,
    maxPages,
  );
}

/** Sums rows by what `nameOf` says, the most expensive first. */
export function sharesBy(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): Share[] {
  const shares = new Map<string, Share>();
  for (const row of rows) {
    const name = nameOf(row);
    const share = shares.get(name) ?? { name, calls: 0, tokens: 0, cost: 0 };
    share.calls += Number(row.calls);
    share.tokens += Number(row.inputTokens) + Number(row.outputTokens);
    share.cost += dollars(row.costMicroDollars);
    shares.set(name, share);
  }
  return [...shares.values()].sort(
    (one, other) => other.cost - one.cost || one.name.localeCompare(other.name),
  );
}

/** The last 30 days up to today (UTC), each with its cost, also where nothing was spent. */
export function costByDay(rows: readonly UsageRow[], today: string): { day: string; cost: number }[] {
  const costs = new Map(sharesBy(rows, ({ day }) => day).map(({ name, cost }) => [name, cost]));
  const last = new Date(`${today}T00:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) => {
    const date = new Date(last);
    date.setUTCDate(last.getUTCDate() - (shownDays - 1 - index));
    const day = date.toISOString().slice(0, 10);
    return { day, cost: costs.get(day) ?? 0 };
  });
}

/** Micro-dollars as dollars. */
export function dollars(microDollars: bigint): number {
  return Number(microDollars) / 1e6;
}

const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
const finely = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});

/** An amount of dollars in the browser's way of writing; below a cent with its first two digits. */
export function asMoney(amount: number): string {
  return amount !== 0 && Math.abs(amount) < 0.01 ? finely.format(amount) : money.format(amount);
}
