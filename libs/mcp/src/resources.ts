import type {
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { rowKeyPrefixFault } from '@teammemory/vocabulary/row-key.ts';
import { makeBrief, newForMs } from './brief.ts';
import { createFramer, dataNotice, type FrameLabel } from './framed-text.ts';
import type { FeedPage, ItemSummary, Memory, Removed } from './memory.ts';
import { namedBy, resourceUri, rowKeyFromUri } from './resource-uri.ts';

const pageRows = 100;
/** Pages that are read until one has an item that is still there. */
const maxPages = 10;
/** Values of one completion, as the protocol bounds them. */
const maxCompletions = 100;
const markdown = 'text/markdown';

/** Lists a page of the items. */
export async function listResources(
  memory: Memory,
  from: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const { team } = memory.holder;
  let cursor = from;
  for (let pages = 1; ; pages += 1) {
    const page: FeedPage<ItemSummary | Removed<'row_key'>> = await memory.listItems(
      { cursor, limit: pageRows },
      { signal },
    );
    const resources = page.rows.filter(isPresent).map((item) => resourceOf(team, item));
    if (from === undefined && cursor === undefined) resources.unshift(briefResource);
    const next = page.hasMore ? { nextCursor: page.nextCursor } : {};
    if (resources.length > 0 || !page.hasMore || pages === maxPages) return { resources, ...next };
    cursor = page.nextCursor;
  }
}

const briefUri = 'memory://brief';
/** Listed before all items. */
const briefResource: Resource = {
  uri: briefUri,
  name: 'brief',
  title: 'What was decided last, your open tasks, and what is new',
  mimeType: markdown,
};

function resourceOf(team: string, item: ItemSummary): Resource {
  const { row_key, title, tier, updated_at, updated_by, by_guest } = item;
  return {
    uri: resourceUri(team, row_key),
    name: row_key,
    title,
    mimeType: markdown,
    annotations: { lastModified: updated_at },
    _meta: {
      [metaKey('tier')]: tier,
      [metaKey('updated_by')]: updated_by,
      ...(by_guest && { [metaKey('by_guest')]: by_guest }),
    },
  };
}

/** What is told of a text besides itself, in names of our own. */
function metaKey(name: string): string {
  return `teammemory/${name}`;
}

/** The shapes of the URIs of a team. */
export function resourceTemplates(team: string): ResourceTemplateType[] {
  return [
    {
      uriTemplate: `tms://${team}/{+row_key}`,
      name: 'item',
      description: 'An item by its path',
      mimeType: markdown,
    },
    {
      uriTemplate: `tms://${team}/decisions/{decision_id}`,
      name: 'decision',
      description: 'A decision by its id',
      mimeType: markdown,
    },
  ];
}

/**
 * Reads an item, a decision or the brief. Returns undefined for a URI that is not one of this team.
 * @throws MemoryError
 */
export async function readResource(
  memory: Memory,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult | undefined> {
  if (uri === briefUri) {
    const nowMs = Date.now();
    return contentsOf(uri, await makeBrief(memory, { sinceMs: nowMs - newForMs, nowMs, signal }), {});
  }
  const rowKey = rowKeyFromUri(memory.holder.team, uri);
  if (rowKey === undefined) return undefined;
  const named = namedBy(rowKey);
  if (named.kind === 'task') return undefined;
  if (named.kind === 'decision') {
    const decision = await memory.getDecision(named.decisionId, { signal });
    const { title, body, audience: tier, status, decided_on: decidedOn, updated_at, updated_by } = decision;
    const label = { kind: 'decision', id: rowKey, title, status, decidedOn, tier };
    return contentsOf(uri, framed({ ...label, by: updated_by, at: updated_at }, body), {
      tier,
      status,
      decided_on: decidedOn ?? undefined,
      updated_at,
      updated_by,
    });
  }
  const item = await memory.getItem(rowKey, { signal });
  const { title, content, tier, checksum, updated_at, updated_by, by_guest } = item;
  const label = { kind: 'item', id: item.row_key, title, tier, by: updated_by, byGuest: by_guest };
  const text = framed({ ...label, at: updated_at }, content);
  return contentsOf(uri, text, { tier, checksum, updated_at, updated_by, by_guest });
}

/** Clients put the text of a resource before a model as it is. */
function framed(label: FrameLabel, text: string): string {
  return `${dataNotice}\n\n${createFramer().frame(label, text)}`;
}

function contentsOf(
  uri: string,
  text: string,
  facts: Record<string, string | true | undefined>,
): ReadResourceResult {
  const _meta = Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[metaKey(name), value]])),
  );
  return { contents: [{ uri, mimeType: markdown, text, _meta }] };
}

/** Completes the path of an item: those that begin with what was typed. What can begin no path completes to nothing. */
export async function completeRowKey(
  memory: Memory,
  typed: string,
  signal: AbortSignal,
): Promise<{ values: string[]; hasMore: boolean }> {
  if (rowKeyPrefixFault(typed) !== undefined) return { values: [], hasMore: false };
  const { rows, hasMore } = await memory.listItems({ prefix: typed, limit: 2 * maxCompletions }, { signal });
  const keys = rows.filter(isPresent).map(({ row_key }) => row_key);
  return { values: keys.sort().slice(0, maxCompletions), hasMore: hasMore || keys.length > maxCompletions };
}

function isPresent(row: ItemSummary | Removed<'row_key'>): row is ItemSummary {
  return !('deleted' in row);
}
