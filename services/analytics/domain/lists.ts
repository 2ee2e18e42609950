import { AppError } from '@teammemory/errors/app-error.ts';
import type { CodebaseStore, StoredCodebase } from './codebases.ts';
import type { ListedScan, ScanStore } from './scans.ts';
import { individualMetric, type Snapshot, type SnapshotStore } from './snapshots.ts';

/** Rows wanted unless the request says, and at most. */
export const pageSizes = { default: 50, maximum: 200 };

/** A part of a list. `after` is what the page before named as `next`; '' is the beginning. */
export interface ListPage {
  /** At most the maximum; 0 for the default. */
  pageSize: number;
  after: string;
}

/** One page of a list. */
export interface Listed<Row> {
  rows: Row[];
  /** Where the next page begins; '' on the last. */
  next: string;
}

/** A codebase with its newest scan, if one is kept. */
export interface ListedCodebase {
  codebase: StoredCodebase;
  newestScan: ListedScan | undefined;
}

/** Lists the codebases of a team by slug. @throws AppError `unavailable`. */
export async function listCodebases(
  { codebases, scans }: { codebases: CodebaseStore; scans: ScanStore },
  teamId: string,
  page: ListPage,
): Promise<Listed<ListedCodebase>> {
  const read = (limit: number) => codebases.list(teamId, page.after, limit);
  const { rows, next } = await readPage(page, read, ({ slug }) => slug);
  const listed = rows.map(async (codebase) => {
    const [newestScan] = await scans.list(teamId, codebase.codebaseId, '', 1);
    return { codebase, newestScan };
  });
  return { rows: await Promise.all(listed), next };
}

/** Lists the scans of a codebase, the commit that came last first. @throws AppError `not_found`, `unavailable`. */
export async function listScans(
  { codebases, scans }: { codebases: CodebaseStore; scans: ScanStore },
  teamId: string,
  slug: string,
  page: ListPage,
): Promise<Listed<ListedScan>> {
  const codebase = await codebases.find(teamId, slug);
  if (codebase === undefined) throw new AppError('not_found', 'There is no such codebase.');
  const read = (limit: number) => scans.list(teamId, codebase.codebaseId, page.after, limit);
  return readPage(page, read, ({ id }) => id);
}

/** Lists the snapshots of a member, the newest day first. @throws AppError `unavailable`. */
export function listSnapshots(
  { snapshots }: { snapshots: SnapshotStore },
  { teamId, memberId }: { teamId: string; memberId: string },
  page: ListPage,
): Promise<Listed<Snapshot>> {
  const of = { memberId, metric: individualMetric };
  return readPage(
    page,
    (limit) => snapshots.list(teamId, of, page.after, limit),
    ({ date }) => date,
  );
}

async function readPage<Row>(
  { pageSize }: ListPage,
  read: (limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => string,
): Promise<Listed<Row>> {
  const limit = pageSize || pageSizes.default;
  // One more than wanted tells whether there is a next page.
  const found = await read(limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? positionOf(last) : '' };
}
