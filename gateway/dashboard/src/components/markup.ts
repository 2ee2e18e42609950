import { Marked, type MarkedExtension, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml, plainHtml } from './plain-html.ts';

/** The page stands still while the sanitiser and the layout go through the elements of one piece. */
const maxPieceElements = 8_000;
/** A piece with so many elements is full, as far as its blocks go. */
const fullPieceElements = 1_000;
/** Elements of a whole text. A mebibyte of notes has half of it. */
const maxElements = 60_000;

interface Placed {
  /** Line of the text on which the block begins, from 1. */
  line?: number;
}

const blocks = ['heading', 'paragraph', 'blockquote', 'code', 'listitem', 'table', 'hr'] as const;

/**
 * Returns how a Markdown text becomes markup, which the sanitiser has not seen yet: in pieces, each with whole blocks. Each
 * block has the line on which it begins in the attribute `lineAttribute`. `imageWord` stands before the name of an image.
 * @throws RangeError for a text that is nested too deeply or has too many elements.
 */
export function createMarkup(lineAttribute: string, imageWord: string): (text: string) => string[] {
  const imageLink = imageLinks(imageWord);
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
    levelHeadings(marked, tokens);
    const pieces: string[] = [];
    let [elements, free] = [0, 0];
    for (const token of tokens) {
      const markup = marked.parser([token]);
      const count = markup.match(/<[a-z]/g)?.length ?? 0;
      elements += count;
      if (count > maxPieceElements || elements > maxElements) throw new RangeError(`${elements} elements`);
      if (count < free || count === 0) pieces.push((pieces.pop() ?? '') + markup);
      else {
        pieces.push(markup);
        free = fullPieceElements;
      }
      free -= count;
    }
    return pieces;
  };
}

/**
 * The page has headings of the first two levels. Those of a text come below, leave out no level, and those of one level
 * below the same heading stay on one.
 */
function levelHeadings(marked: Marked, tokens: Token[]): void {
  const above: { written: number; shown: number }[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type !== 'heading') return;
    const written = token.depth;
    while ((above.at(-1)?.written ?? 0) >= written) above.pop();
    token.depth = Math.min(6, (above.at(-1)?.shown ?? 2) + 1);
    above.push({ written, shown: token.depth });
  });
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

function imageLinks(imageWord: string): (href: string, text: string) => string {
  return (href, text) => {
    const host = URL.canParse(href) ? new URL(href).host : '';
    const words = text === '' ? (href.split(/[/?#]/).findLast((part) => part !== '') ?? '') : text;
    const shown = host === '' ? `${imageWord}: ${words}` : `${imageWord}: ${words} (${host})`;
    return `<a href="${escapeHtml(href)}">${escapeHtml(shown)}</a>`;
  };
}
