import DOMPurify, { type Config } from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked({ gfm: true, async: false });

/** What a text may consist of: words, lists, tables, links. No forms, no styles, no frames, and no images (see below). */
const allowed: Config = {
  ALLOWED_TAGS: [
    ...[
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'br',
      'hr',
      'blockquote',
      'pre',
      'code',
      'kbd',
      'em',
      'strong',
      'del',
      's',
    ],
    ...[
      'ul',
      'ol',
      'li',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'a',
      'sub',
      'sup',
      'dl',
      'dt',
      'dd',
      'input',
    ],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'type', 'checked', 'disabled'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
};

/** The page has headings of the first two levels; those of a text come below. */
marked.use({
  walkTokens(token) {
    if (token.type === 'heading') token.depth = Math.min(6, token.depth + 2);
  },
  renderer: {
    // An image of another address would tell that address who reads what and when. A link tells it when one follows it.
    image({ href, text }) {
      const words = text === '' ? href : text;
      return `<a href="${escaped(href)}">${escaped(`Image: ${words}`)}</a>`;
    },
  },
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node instanceof HTMLAnchorElement && node.hasAttribute('href')) {
    node.rel = 'noopener noreferrer nofollow';
    if (node.host !== location.host) node.target = '_blank';
  }
  // A task's box shows its state and cannot be changed here.
  if (node instanceof HTMLInputElement) {
    if (node.type !== 'checkbox') node.remove();
    node.disabled = true;
    node.setAttribute('aria-label', node.checked ? 'done' : 'open');
  }
});

/** Shows Markdown in an element. Whatever the text contains, nothing in it runs or loads anything. */
export function renderMarkdown(element: HTMLElement, text: string): void {
  const markup = marked.parse(text) as string;
  // The sanitiser's type is one that browsers with Trusted Types take, and others take as text.
  element.innerHTML = DOMPurify.sanitize(markup, allowed) as unknown as string;
}

/** Marks a passage of the rendered text and scrolls to it. Returns whether it was found. */
export function markPassage(element: HTMLElement, passage: string): boolean {
  const nodes = textNodes(element);
  const { text, places } = squeezed(nodes);
  const wanted = plainText(passage);
  const begin = text.indexOf(wanted);
  if (wanted === '' || begin === -1) return false;
  const ranges = new Map<Text, { from: number; to: number }>();
  for (const { node, offset } of places.slice(begin, begin + wanted.length)) {
    const range = ranges.get(node);
    if (range === undefined) ranges.set(node, { from: offset, to: offset + 1 });
    else range.to = offset + 1;
  }
  let first: HTMLElement | undefined;
  for (const [node, { from, to }] of ranges) {
    const marked = node.splitText(from);
    marked.splitText(to - from);
    const mark = document.createElement('mark');
    marked.replaceWith(mark);
    mark.append(marked);
    first ??= mark;
  }
  first?.scrollIntoView({ block: 'center' });
  return true;
}

/** A passage as it reads, without white space: Markdown and its rendering differ in that. */
function plainText(passage: string): string {
  const element = document.createElement('div');
  renderMarkdown(element, passage);
  return squeezed(textNodes(element)).text;
}

function textNodes(element: HTMLElement): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text);
  return nodes;
}

/** The text of nodes without white space, and where each of its characters stands. */
function squeezed(nodes: readonly Text[]): { text: string; places: { node: Text; offset: number }[] } {
  const characters: string[] = [];
  const places: { node: Text; offset: number }[] = [];
  for (const node of nodes) {
    for (let offset = 0; offset < node.data.length; offset += 1) {
      const character = node.data.charAt(offset);
      if (/\s/.test(character)) continue;
      characters.push(character);
      places.push({ node, offset });
    }
  }
  return { text: characters.join(''), places };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
