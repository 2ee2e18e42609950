/** What an item or row says of itself beside its text, as far as it is known. */
export interface Fields {
  /** The day that it speaks of, YYYY-MM-DD; '' where none is known. */
  date: string;
  /** Where it stands, in its author's words and lower case, at most 40 characters; '' for none. */
  status: string;
  /** It says that something else holds now: superseded, deprecated, archived. */
  isOutdated: boolean;
  /** Slug of its project; '' for none. */
  project: string;
  /** Who is responsible for it; '' for nobody. */
  owner: string;
  tags: readonly string[];
}

/** Of what says nothing of itself. */
export const noFields: Fields = {
  ...{ date: '', status: '', isOutdated: false, project: '', owner: '' },
  tags: [],
};
