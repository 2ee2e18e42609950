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
