import type { DocumentKind } from './passage.ts';

/** No row_key has a control character, while `decisions/…` may be one. */
const mark = '\u0001';
const folders = { decision: `${mark}decisions/`, project: `${mark}projects/` };

/** What a decision or project is known by where items are known by their row_key. */
export function documentKey(kind: Exclude<DocumentKind, 'item'>, id: string): string {
  return folders[kind] + id;
}

/** The id of the decision that is known by a key; undefined for what is none. */
export function decisionIdOf(key: string): string | undefined {
  return key.startsWith(folders.decision) ? key.slice(folders.decision.length) : undefined;
}

/** What clients know it by: the row_key of an item, `decisions/<decision_id>` or `projects/<slug>`. */
export function publicKeyOf(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key;
}
