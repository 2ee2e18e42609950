/** Returns the URI of an item or, by `decisions/<decision_id>`, of a decision. */
export function resourceUri(team: string, rowKey: string): string {
  return `tms://${team}/${rowKey.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns what a URI names in the memory of a team; undefined for what is not one of its URIs. */
export function rowKeyFromUri(team: string, uri: string): string | undefined {
  const beginning = `tms://${team}/`;
  if (!uri.startsWith(beginning) || uri.length === beginning.length) return undefined;
  try {
    return uri.slice(beginning.length).split('/').map(decodeURIComponent).join('/');
  } catch {
    return undefined;
  }
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const decisionKey = new RegExp(`^decisions/(${uuid})$`);
const taskKey = new RegExp(`^tasks/(${uuid})$`);

/** What an id means: an item by its row_key, a decision or a task. */
export type Named =
  | { kind: 'item'; rowKey: string }
  | { kind: 'decision'; decisionId: string }
  | { kind: 'task'; taskId: string };

/** Returns what an id means, as the tools hand it out and take it: a row_key, `decisions/<uuid>` or `tasks/<uuid>`. */
export function namedBy(id: string): Named {
  const [, decisionId] = decisionKey.exec(id) ?? [];
  if (decisionId !== undefined) return { kind: 'decision', decisionId };
  const [, taskId] = taskKey.exec(id) ?? [];
  return taskId === undefined ? { kind: 'item', rowKey: id } : { kind: 'task', taskId };
}
