import { TransportError } from './transport-error.ts';

/** One page of any list. */
interface FeedPage {
  /** Null on the last page of a list that ends. */
  next_cursor: string | null;
  has_more: boolean;
}

/**
 * Yields pages, starting with the one after `cursor`, until there are no more. Throws what `read` throws, and
 * TransportError `invalid_answer` if the list does not advance.
 */
export async function* eachPage<Page extends FeedPage>(
  read: (cursor: string | undefined) => Promise<Page>,
  cursor: string | undefined,
): AsyncGenerator<Page> {
  for (let position = cursor; ; ) {
    const page = await read(position);
    yield page;
    if (!page.has_more) return;
    if (page.next_cursor === null || page.next_cursor === position)
      throw new TransportError('invalid_answer', 'The list does not advance.');
    position = page.next_cursor;
  }
}

/** Yields the rows of all pages, one by one. */
export async function* eachRow<Page, Row>(
  pages: AsyncIterable<Page>,
  rowsOf: (page: Page) => readonly Row[],
): AsyncGenerator<Row> {
  for await (const page of pages) yield* rowsOf(page);
}
