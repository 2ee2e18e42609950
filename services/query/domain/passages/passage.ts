import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Language } from '../text/languages.ts';
import type { Fields } from './fields.ts';

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

/** Returns the key that clients know: the row_key of an item, `decisions/<decision_id>` or `projects/<slug>`. */
export function publicKeyOf(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key;
}

export type { Tier };

/** The kinds of text that passages are cut from. */
export type DocumentKind = 'item' | 'decision' | 'project';

/** A piece of an item, small enough to rank and to cite. */
export interface Passage {
  /** Place in the item, from 0. */
  ordinal: number;
  /** Headings above it, outermost first; at most 6, each at most 120 characters. */
  headings: readonly string[];
  /** The Markdown, verbatim; at most 1,400 characters. */
  text: string;
}

/** The passages of one item at its place in the team's item feed. */
export interface ItemPassages {
  rowKey: string;
  /** Position of this state in the item feed; a higher one is newer. */
  seq: number;
  tier: Tier;
  title: string;
  /** 'item' where it is left out. */
  kind?: DocumentKind | undefined;
  /** Absent in rows that were stored before fields existed. */
  fields?: Fields | undefined;
  /** Empty for removed and for blank items. */
  passages: readonly Passage[];
  /** Set where the text could not be cut, so that it has no passages. */
  isRefused?: boolean | undefined;
  /** As of `FeedItem`. */
  isErased?: true | undefined;
}

/** A passage with what tells its item, as indexes keep it. */
export interface IndexedPassage extends Passage {
  rowKey: string;
  title: string;
  tier: Tier;
  kind: DocumentKind;
  fields: Fields;
  /** The language that its terms are of; English where it is left out. */
  language?: Language;
}
