import { Marked, type MarkedExtension, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml, plainHtml } from './plain-html.ts';

/** The page stands still while the sanitiser and the layout go through them. Long texts have a quarter of it. */
const maxElements = 8_000;

interface Placed {
  /** Line of the text on which the block begins, from 1. */
  line?: number;
}

const blocks = ['heading', 'paragraph', 'blockquote', 'code', 'listitem', 'table', 'hr'] as const;

/**
 * Returns how a Markdown text becomes markup, which the sanitiser has not seen yet. Each block has the line on which it
 * begins in the attribute `lineAttribute`.
 * @throws RangeError for a text that is nested too deeply or has too many elements.
 */
export function createMarkup(lineAttribute: string): (text: string) => string {
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      ...rendererOfBlocks(lineAttribute),
      // An image of another address would tell that address who reads what and when. A link tells it when one follows it.
      image: ({ href, text }) => imageLink(href, text),
      html: ({ text }) => plainHtml(text, imageLink),
    },
  });
  return (text) => {
    const tokens = marked.lexer(text);
    placeTokens(tokens, 1);
    // The page has headings of the first two levels; those of a text come below, and leave out no level.
    let depth = 2;
    marked.walkTokens(tokens, (token) => {
      if (token.type !== 'heading') return;
      depth = Math.min(6, token.depth + 2, depth + 1);
      token.depth = depth;
    });
    const markup = marked.parser(tokens);
    let elements = 0;
    for (const _ of markup.matchAll(/<[a-z]/g)) elements += 1;
    if (elements > maxElements) throw new RangeError(`${elements} elements`);
    return markup;
  };
}

/** Writes each block with its line. */
function rendererOfBlocks(lineAttribute: string): NonNullable<MarkedExtension['renderer']> {
  return Object.fromEntries(
    blocks.map((name) => [
      name,
      function render(this: Renderer, token: never) {
        const markup = (Renderer.prototype[name] as (token: never) => string).call(this, token);
        const { line } = token as Placed;
        return line === undefined ? markup : markup.replace(/^<[a-z0-9]+/, `$& ${lineAttribute}="${line}"`);
      },
    ]),
  );
}

/** Notes the line of each block and list entry. */
function placeTokens(tokens: readonly Token[], firstLine: number): void {
  let line = firstLine;
  for (const token of tokens) {
    (token as Placed).line = line;
    if (token.type === 'list') placeTokens((token as Tokens.List).items, line);
    else if (token.type === 'list_item' || token.type === 'blockquote') placeTokens(token.tokens ?? [], line);
    line += token.raw.split('\n').length - 1;
  }
}

function imageLink(href: string, text: string): string {
  const host = URL.canParse(href) ? new URL(href).host : '';
  const words = text === '' ? (href.split(/[/?#]/).findLast((part) => part !== '') ?? '') : text;
  const shown = host === '' ? `Image: ${words}` : `Image: ${words} (on ${host})`;
  return `<a href="${escapeHtml(href)}">${escapeHtml(shown)}</a>`;
}
