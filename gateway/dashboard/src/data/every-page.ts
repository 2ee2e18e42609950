/** Pages that are read of one list, unless its reader says otherwise: more rows than a person looks through. */
const defaultMaxPages = 50;

/**
 * Reads a list page by page, to its end or up to so many pages. `load` reads the page at a token, the first one at an
 * empty one. Rejects as `load` does.
 */
export async function everyPage<Answer extends { nextPageToken: string }, Row>(
  load: (pageToken: string) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
  maxPages = defaultMaxPages,
): Promise<Row[]> {
  const rows: Row[] = [];
  let pageToken = '';
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await load(pageToken);
    rows.push(...rowsOf(answer));
    pageToken = answer.nextPageToken;
    if (pageToken === '') break;
  }
  return rows;
}
