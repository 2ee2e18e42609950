import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Language } from '../text/languages.ts';

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
export const documentKinds = ['item', 'decision', 'project'] as const;
export type DocumentKind = (typeof documentKinds)[number];

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
  /** As of `FeedItem`. */
  writerId?: string | undefined;
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

/** The metadata of an item or row, as far as it is known. */
export interface Fields {
  /** The day that it speaks of, YYYY-MM-DD; '' where none is known. */
  date: string;
  /** It names no day, so `date` is that of its last change. */
  isDatedByChange?: boolean;
  /** It names a week, month or longer, of which `date` is the first day. */
  isDatedByPeriod?: boolean;
  /** Where it stands, in its author's words and lower case, at most 40 characters; '' for none. */
  status: string;
  /** It says that something else holds now: superseded, deprecated, archived. */
  isOutdated: boolean;
  /** A guest wrote it: a key of tier external. */
  isByGuest?: boolean;
  /** The day by which it wants to be checked again, YYYY-MM-DD. */
  checkBy?: string;
  /** Slug of its project; '' for none. */
  project: string;
  /** Who is responsible for it, at most 80 characters; '' for nobody. */
  owner: string;
  /** At most 10, each of at most 40 characters. */
  tags: readonly string[];
}

/** The fields of an item without metadata. */
export const noFields: Fields = {
  date: '',
  status: '',
  isOutdated: false,
  project: '',
  owner: '',
  tags: [],
};

/** The day that something names; '' where it names none, so that its date is only that of its last change. */
export function namedDay({ date, isDatedByChange }: Fields): string {
  return isDatedByChange ? '' : date;
}

/** The day that something names in full; '' where it names a month or the like, or nothing. */
export function fullDay(fields: Fields): string {
  return fields.isDatedByPeriod ? '' : namedDay(fields);
}

/** The day that readers are shown: one that is named in full, or that of the last change; '' for none. */
export function shownDay({ date, isDatedByPeriod }: Fields): string {
  return isDatedByPeriod ? '' : date;
}

const unshown = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text as a line of so many characters at most, without those that turn the direction of writing or are not shown. */
export function shortLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 2 * maxLength)
    .replace(unshown, ' ')
    .trim();
  return line.slice(0, maxLength).trim().toWellFormed();
}
