import { scan, snapshot } from '../analytics/valid-bodies.ts';
import type { Answer, ApiOptions } from '../http/api.ts';
import type { KeyHolder } from '../http/key-holder.ts';

/** The lists of which a key can follow the changes. */
export const feeds = ['items', 'tasks', 'decisions'] as const;

/** What a walk asks for by name. */
export interface Names {
  /** Words to ask about. */
  words: readonly string[];
  /** Items to remove. */
  rowKeys: readonly string[];
  /** Items to read, with their versions. */
  items: readonly string[];
  /** Tasks and decisions to read by their ids. */
  rowIds: readonly string[];
  /** Cursors of another key. */
  cursors: readonly string[];
}

/** What is answered from tasks, decisions and projects. */
export const listQuestions = [
  'Which tasks are open?',
  'What is due and who has to do it?',
  'Which decisions were taken, and which are proposed?',
  'What projects do we have?',
];

const oddParameters = 'limit=200 limit=201 limit=0 since=x cursor=x include_deleted=x a=b'.split(' ');

/** All that a key can ask for: every endpoint, parameter, cursor, error and stream, in the same order each time. */
export async function walkApi(
  client: KeyHolder,
  { words, rowKeys, items, rowIds, cursors }: Names,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const keep = async (path: string, options?: ApiOptions) => {
    const answer = await client.call(path, options);
    answers.push(answer);
    return answer.body;
  };
  for (const feed of feeds) {
    await walkPages(feed, keep);
    for (const odd of oddParameters) await keep(`/${feed}?${odd}`);
    for (const cursor of cursors) await keep(`/${feed}?include_deleted=true&cursor=${cursor}`);
    await keep(`/${feed}`, { method: 'PUT' });
  }
  await keep('/events');
  await keep('/events', { method: 'HEAD' });
  for (const rowKey of rowKeys) {
    for (const prefix of [rowKey, rowKey.slice(0, 3), `${rowKey.split('/', 1)}/`]) {
      await walkPages('items', keep, `&prefix=${encodeURIComponent(prefix)}`);
    }
  }
  await walkPages('items', keep, '&view=summary');
  for (const status of ['open', 'done']) await walkPages('tasks', keep, `&status=${status}`);
  for (const word of words) await keep(`/tasks?owner=${word}&project=${word}&due_by=${word}`);
  for (const name of ['owner', 'project']) {
    for (const word of words) await keep(`/tasks?${name}=${word}`);
  }
  await walkPages('tasks', keep, '&due_by=9999-12-31');
  await keep('/whoami');
  await keep('/sign-in-links', { method: 'POST' });
  await keep('/projects');
  await keep('/projects?slug=a');
  for (const word of words) {
    await keep('/query', { body: { q: `What about ${word}?` } });
    await keep(searchPath(`What about ${word}?`));
    await keep(`/projects?slug=${word}`);
    await keep(`/codebases/${word}/scans`);
  }
  const misspelt = words.map((word) => word.slice(0, -2)).join(' ');
  const others = ['What does the vault hold? What was it about at first?', misspelt, 'When?', ''];
  for (const q of [...others, ...listQuestions]) {
    await keep('/query', { body: { q } });
    for (const limit of [1, 50, 0]) await keep(`${searchPath(q)}&limit=${limit}`);
    for (const filter of ['prefix=p', 'kind=decision', 'since=2000-01-01'])
      await keep(`${searchPath(q)}&${filter}`);
  }
  for (const rowKey of [...items, ...rowKeys]) await walkVersions(rowKey, cursors, keep);
  for (const id of rowIds) for (const list of ['tasks', 'decisions']) await keep(`/${list}/${id}`);
  await walkProposals(rowIds, keep);
  for (const rowKey of rowKeys) {
    const path = `/items/${encodeURIComponent(rowKey)}`;
    await keep(`${path}?base_checksum=sha256:${'0'.repeat(64)}`, { method: 'DELETE' });
    await keep(path, { method: 'DELETE' });
  }
  await keep('/items', { body: { items: [{}] } });
  await keep('/codebases', { body: scan() });
  await keep('/codebases', { body: {} });
  await keep('/codebases');
  await keep('/rollup');
  await keep('/metrics', { body: snapshot() });
  await keep('/metrics', { body: '{' });
  await keep('/nothing');
  return answers;
}

/** Path of a search. */
export const searchPath = (q: string) => `/search?q=${encodeURIComponent(q)}`;

/** Reads a list to its end from everywhere, row by row. */
async function walkPages(
  feed: string,
  keep: (path: string) => Promise<Answer['body']>,
  part = '',
): Promise<void> {
  for (const deleted of ['', '&include_deleted=false', '&include_deleted=true']) {
    for (const from of ['', '&since=1970-01-01', '&since=9999-01-01']) {
      let page = await keep(`/${feed}?limit=1${deleted}${from}${part}`);
      while (page.has_more) page = await keep(`/${feed}?limit=1${deleted}&cursor=${page.next_cursor}${part}`);
    }
  }
}

/** Lists, reads and decides about proposals. */
async function walkProposals(
  ids: readonly string[],
  keep: (path: string, options?: ApiOptions) => Promise<Answer['body']>,
): Promise<void> {
  for (const odd of ['state=waiting', 'state=accepted', 'state=declined', 'limit=1', 'cursor=x', 'state=x']) {
    await keep(`/proposals?${odd}`);
  }
  const { proposals } = await keep('/proposals');
  for (const { proposal_id } of proposals) await keep(`/proposals/${proposal_id}`);
  for (const id of [...ids.slice(0, 2), 'x']) {
    await keep(`/proposals/${id}`);
    await keep(`/proposals/${id}/accept`, { body: {} });
    await keep(`/proposals/${id}/decline`, { body: { reason: 'No.' } });
    await keep(`/proposals/${id}`, { method: 'DELETE' });
  }
}

/** Reads an item and each of its versions, and tries the numbers and cursors of others. */
async function walkVersions(
  rowKey: string,
  cursors: readonly string[],
  keep: (path: string) => Promise<Answer['body']>,
): Promise<void> {
  const path = `/items/${encodeURIComponent(rowKey)}`;
  await keep(path);
  let page = await keep(`${path}/versions?limit=1`);
  const revisions = [1, 2, 3];
  for (;;) {
    for (const { revision } of page.versions ?? []) revisions.push(revision);
    if (!page.has_more) break;
    page = await keep(`${path}/versions?limit=1&cursor=${page.next_cursor}`);
  }
  for (const revision of revisions) await keep(`${path}/versions/${revision}`);
  for (const cursor of cursors.slice(0, 2)) await keep(`${path}/versions?cursor=${cursor}`);
}

/** The ids of the proposals, tasks and decisions that a key sees, at most 200 of each; if asked for, of those that are gone too. */
export async function rowIdsOf(client: KeyHolder, includeDeleted: boolean): Promise<string[]> {
  const query = `limit=200&include_deleted=${includeDeleted}`;
  const paths = ['/proposals?limit=200', `/tasks?${query}`, `/decisions?${query}`];
  const lists = await Promise.all(paths.map((path) => client.call(path)));
  return lists.flatMap(({ body }) =>
    [...(body.proposals ?? []), ...(body.tasks ?? []), ...(body.decisions ?? [])].map(
      ({ proposal_id, task_id, decision_id }) => proposal_id ?? task_id ?? decision_id,
    ),
  );
}

/** A cursor of each page of each list, as a key gets them. */
export async function cursorsOf(client: KeyHolder): Promise<string[]> {
  const cursors: string[] = [];
  for (const feed of feeds) {
    let page = (await client.call(`/${feed}?limit=2`)).body;
    cursors.push(page.next_cursor);
    while (page.has_more) {
      page = (await client.call(`/${feed}?limit=2&cursor=${page.next_cursor}`)).body;
      cursors.push(page.next_cursor);
    }
  }
  return cursors;
}

const varying = {
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  time: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g,
  // To an external key the number of a version is its time.
  revision: /(?<="revision":)\d{13}/g,
  cursor: /(?<="next_cursor":")[^"]+/g,
  key: /(?<="key_id":")[0-9A-Za-z]{16}/g,
  // Nobody else's key is told its name.
  team: /(?<="team":")[^"]+/g,
  seconds: /(?<=;t=|"retry-after",")\d+/g,
  date: /(?<="date",")[^"]+/g,
  token: /tmsl_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}/g,
  // Each question that was asked before is one less.
  left: /(?<=(?:questions|searches|sign-in-links)\\";r=)\d+/g,
};

/** Status, headers and body as one text, in which what differs between any two requests is named only. */
export function asText({ status, headers, body }: Answer): string {
  // How far times, ids and cursors can be compressed differs between any two requests.
  const lengths = headers.has('content-encoding') ? { 'content-length': '<bytes>' } : {};
  const all = Object.entries({ ...Object.fromEntries(headers), ...lengths });
  const text = `${status} ${JSON.stringify(all)} ${JSON.stringify(body)}`;
  return Object.entries(varying).reduce((kept, [name, form]) => kept.replace(form, `<${name}>`), text);
}
