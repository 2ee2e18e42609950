/** Items of one batch: one page of a client's work, and a bound on what one call holds in memory. */
export const maxBatchItems = 200;

/** Rows of one page of a list, unless the caller asks for another number. */
export const defaultPageRows = 50;

/** Rows of one page of a list. A request for more gets this many. */
export const maxPageRows = 200;

/** Bytes of an item's content, or of a decision's body, in UTF-8. */
export const maxContentBytes = 1024 * 1024;

/** Bytes of a front matter's JSON in UTF-8. */
export const maxFrontmatterBytes = 32 * 1024;

/** Levels of a front matter; the object itself is the first. */
export const maxFrontmatterLevels = 8;

/** Characters of the title of an item or a decision, counted in Unicode code points. */
export const maxTitleCharacters = 300;

/** Characters of a question, counted in Unicode code points. */
export const maxQuestionCharacters = 4_000;

/** Whether a text has at most `max` characters, counted in Unicode code points: an emoji is one. */
export function hasAtMostCharacters(text: string, max: number): boolean {
  // A code point has at most two UTF-16 units, so a text of more than twice as many is not counted.
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
