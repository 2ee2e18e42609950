/**
 * Returns the first two cells of the table rows in one section of a page: of rows whose first cell is code and
 * whose second is code, a word or a number.
 */
export function tableRows(page: string, section: string): string[][] {
  const [, text = ''] = withoutExamples(page).split(`\n## ${section}\n`);
  const [rows = ''] = text.split('\n## ');
  return [...rows.matchAll(/^\| `([^`]+)` \| `?([^`|]*?)`? \|/gm)].map(([, ...cells]) => cells);
}

/** Returns a page without its fenced blocks, in which a link or a heading is only an example. */
export function withoutExamples(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, '');
}
