import { AppError } from '@teammemory/errors/app-error.ts';
import { handlePattern } from '@teammemory/vocabulary/formats.ts';
import { removeDecision } from '../decisions/decisions.ts';
import { maxPageBytes } from '../feed/feed-page.ts';
import { erasedRow, type FeedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter } from '../feed/feed-writer.ts';
import type { Projection } from '../feed/progress.ts';
import { ownerOf } from '../items/item.ts';
import type { ProposalStore } from '../proposals/proposal.ts';

/** Rows that a page looks at, and bytes of their versions after which it ends: bounds the time of one call. */
const maxRows = 50;
const maxBytes = 16 * 1024 * 1024;
const maxReadVersions = 20;
/** Whom the history names; administrators are not members. */
const administrator = { handle: 'administrator' } as const;

/** The feeds that have texts of members, in the order in which they are gone through; the proposals come after them. */
const lists = ['items', 'decisions'] as const;
type List = (typeof lists)[number];

/** The token of the page of proposals. */
const proposalsToken = 'proposals';

/** What a page erased, or would erase. */
export interface ErasedTexts {
  items: number;
  decisions: number;
  /** Earlier versions, of any item or decision. */
  versions: number;
  /** Items that the member proposed, whatever became of them. */
  proposals: number;
}

interface Dependencies {
  items: FeedStore;
  decisions: FeedStore;
  proposals: Pick<ProposalStore, 'countOf' | 'eraseOf'>;
  writers: Readonly<Record<List, FeedWriter>>;
  projection: Pick<Projection, 'catchUp' | 'forgetRemovedTasks'>;
  /** Runs the erasure of a page; called only if there is something to erase. */
  noted: (texts: ErasedTexts, erasure: () => Promise<void>) => Promise<void>;
}

/** What a member wrote of one row. */
interface Written {
  row: FeedRow;
  /** Whether its present text is the member's. */
  isPresent: boolean;
  /** Earlier versions that are. */
  revisions: number[];
}

/**
 * Erases what a member wrote in a team, a page at a time: items and decisions whose present text is the member's, and the
 * member's earlier versions of all others; at last what the member proposed, and why the member declined what others did. Pages follow the feeds, so what changes meanwhile comes again in a later page.
 * Repeating a page finds what is left of it. `nextToken` is empty on the last page.
 * @throws AppError `invalid_request` for a page token that is not ours and what is no handle, `unavailable`.
 */
export async function eraseMemberTexts(
  dependencies: Dependencies,
  teamId: string,
  query: { handle: string; pageToken: string; dryRun: boolean },
): Promise<ErasedTexts & { nextToken: string }> {
  if (!handlePattern.test(query.handle)) {
    const detail = 'must be the handle of a member';
    throw new AppError('invalid_request', `handle ${detail}.`, {
      violations: [{ pointer: '/handle', detail }],
    });
  }
  if (query.pageToken === proposalsToken) return eraseProposals(dependencies, teamId, query);
  const { list, afterSeq } = placeFrom(query.pageToken);
  const { written, lastSeq } = await findWritten(dependencies[list], teamId, afterSeq, query.handle);
  const present = written.filter(({ isPresent }) => isPresent).length;
  const versions = written.reduce((sum, { revisions }) => sum + revisions.length, 0);
  const texts = { items: 0, decisions: 0, versions, proposals: 0, [list]: present };
  if (written.length > 0 && !query.dryRun)
    await dependencies.noted(texts, () => erase(dependencies, teamId, list, written));
  const nextList = lists[lists.indexOf(list) + 1];
  const nextToken =
    lastSeq === undefined
      ? nextList === undefined
        ? proposalsToken
        : `${nextList}/0`
      : `${list}/${lastSeq}`;
  return { ...texts, nextToken };
}

/** All in one page: the queue of a member is bounded. */
async function eraseProposals(
  { proposals, noted }: Pick<Dependencies, 'proposals' | 'noted'>,
  teamId: string,
  { handle, dryRun }: { handle: string; dryRun: boolean },
): Promise<ErasedTexts & { nextToken: string }> {
  const found = await proposals.countOf(teamId, handle);
  const texts = { items: 0, decisions: 0, versions: 0, proposals: found.proposals };
  if (found.proposals + found.reasons > 0 && !dryRun)
    await noted(texts, () => proposals.eraseOf(teamId, handle));
  return { ...texts, nextToken: '' };
}

function placeFrom(token: string): { list: List; afterSeq: number } {
  const [, name, seq] = /^(items|decisions)\/(\d{1,15})$/.exec(token || 'items/0') ?? [];
  const list = lists.find((each) => each === name);
  if (list !== undefined) return { list, afterSeq: Number(seq) };
  throw new AppError(
    'invalid_request',
    'The page_token must be the next_page_token of the previous page of this erasure.',
  );
}

/** Finds what a member wrote in the rows after a position; `lastSeq` is undefined if there are no rows. */
async function findWritten(
  feed: FeedStore,
  teamId: string,
  afterSeq: number,
  handle: string,
): Promise<{ written: Written[]; lastSeq: number | undefined }> {
  const written: Written[] = [];
  let lastSeq: number | undefined;
  let bytes = 0;
  for (const row of await feed.readFrom(teamId, afterSeq, { limit: maxRows, maxBytes: maxPageBytes })) {
    if (bytes > maxBytes) break;
    const revisions: number[] = [];
    for (let before = row.revision; before > 1; ) {
      const range = { beforeRevision: before, limit: maxReadVersions, maxBytes: maxPageBytes };
      const versions = await feed.versions(teamId, row.rowKey, range);
      for (const { revision, json } of versions) {
        bytes += json.length;
        if (isBy(json, handle)) revisions.push(revision);
      }
      before = versions.at(-1)?.revision ?? 0;
    }
    const isPresent = isBy(row.json, handle);
    if (isPresent || revisions.length > 0) written.push({ row, isPresent, revisions });
    lastSeq = row.seq;
  }
  return { written, lastSeq };
}

/** Whether a text is by a member. The JSON of items and decisions ends with its writer; that of removals does not. */
function isBy(json: Uint8Array, handle: string): boolean {
  const end = Buffer.from(`"updated_by":${JSON.stringify(handle)}}`);
  return end.equals(json.subarray(-end.length));
}

async function erase(
  { items, decisions, writers, projection }: Dependencies,
  teamId: string,
  list: List,
  written: readonly Written[],
): Promise<void> {
  const feed = { items, decisions }[list];
  const kind = list === 'items' ? 'item' : 'decision';
  // While the versions are there, a page that is repeated finds them, and the tasks that came from them.
  await projection.forgetRemovedTasks(
    teamId,
    written.map(({ row }) => ({ kind, id: row.rowKey })),
  );
  for (const { row, isPresent } of written) {
    if (!isPresent) continue;
    if (list === 'decisions')
      await removeDecision({ writer: writers.decisions }, teamId, administrator, row.rowKey);
    else await erasePresent(writers.items, teamId, row);
  }
  const versions = written.flatMap(({ row: { rowKey }, revisions }) =>
    revisions.map((revision) => ({ rowKey, revision })),
  );
  if (versions.length > 0) await feed.dropVersions(teamId, versions);
  await projection.catchUp(teamId);
}

/** Erases the present text of an item; one that has changed meanwhile stands further on in the feed. */
async function erasePresent(writer: FeedWriter, teamId: string, { rowKey, seq }: FeedRow): Promise<void> {
  await writer.write(teamId, {
    rowKey,
    owner: ownerOf({ tier: 'team', ...administrator }),
    judge: (current) =>
      current?.seq === seq
        ? {
            kind: 'write',
            rowAt: (position) => erasedRow(current, position, { from: current.revision, by: administrator }),
          }
        : { kind: 'unchanged' },
  });
}
