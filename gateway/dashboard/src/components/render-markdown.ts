import DOMPurify, { type Config } from 'dompurify';
import { t } from '../language/language.ts';
import { withSafeLink } from './markdown-links.ts';
import { markupOf, markupThread } from './markup-thread.ts';

/** As long as an item may be. */
const maxCharacters = 1024 * 1024;
/** A passage that is longer is looked for by its beginning. */
const maxPassageCharacters = 64 * 1024;
/** A text that is not laid out by then is shown as it is. */
const maxWaitMs = 200;
/** Ids of headings begin so, and can then be no names that the page itself uses. */
const anchorPrefix = 'text-';

/** What a text may consist of: words, lists, tables, links. No forms, no styles, no frames, and no images (see below). */
const allowed: Config = {
  ALLOWED_TAGS: [
    ...['h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'em', 'strong', 'del'],
    ...['s', 'ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'sub', 'sup'],
    ...['dl', 'dt', 'dd', 'input'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'type', 'checked', 'disabled'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
};

/** Each of these reads from right to left if its first letter does. */
const directed = 'h3, h4, h5, h6, p, ul, ol, blockquote, td, th, dl';
/**
 * Carries the line of a block through the sanitiser. Nobody who writes a text can know it. (Over plain HTTP browsers have
 * no `crypto.randomUUID`.)
 */
const lineAttribute = `data-line-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

const imageWord = t('Image');

/** A passage has fewer lines as a rule; shorter lines occur anywhere. */
const [maxMarkedLines, minMarkedCharacters] = [60, 12];

DOMPurify.addHook('uponSanitizeAttribute', (_node, attribute) => {
  if (attribute.attrName === lineAttribute) attribute.forceKeepAttr = true;
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node instanceof HTMLInputElement && node.type !== 'checkbox') node.remove();
});

/**
 * Shows Markdown in an element. Whatever the text contains, nothing in it runs or loads anything, and the page goes on
 * answering. A text that is not laid out in time is shown as it is until it is, if it ever is. Blocks have the line on
 * which they begin as `data-line`. Relative links lead from the item `rowKey` to other items.
 */
export async function renderMarkdown(
  element: HTMLElement,
  text: string,
  { rowKey, signal }: { rowKey: string; signal: AbortSignal },
): Promise<void> {
  if (text.length > maxCharacters) return showAsItIs(element, text);
  await markupThread();
  let isShown = false;
  function showSource() {
    if (isShown || signal.aborted) return;
    isShown = true;
    showAsItIs(element, text);
  }
  const timer = setTimeout(showSource, maxWaitMs);
  const [pieces] = await markupOf({ lineAttribute, imageWord, texts: [text] }, signal);
  clearTimeout(timer);
  if (pieces === undefined) return showSource();
  const [first = '', ...others] = pieces;
  if (signal.aborted) return;
  showMarkup(element, first, rowKey);
  for (const piece of others) {
    // The page answers in between.
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return;
    const part = document.createElement('div');
    showMarkup(part, piece, rowKey);
    element.append(...part.childNodes);
  }
  nameHeadings(element);
}

function showMarkup(element: HTMLElement, markup: string, rowKey: string): void {
  // The sanitiser's type is one that browsers with Trusted Types take, and others take as text.
  element.innerHTML = DOMPurify.sanitize(markup, allowed) as unknown as string;
  for (const box of element.querySelectorAll('input')) box.replaceWith(taskState(box));
  for (const block of element.querySelectorAll<HTMLElement>(`[${lineAttribute}]`)) {
    block.dataset.line = block.getAttribute(lineAttribute) ?? '';
    block.removeAttribute(lineAttribute);
  }
  for (const block of element.querySelectorAll<HTMLElement>(directed)) {
    // What is inside of such a block follows it: its direction would not count its letters otherwise.
    if (block.parentElement?.closest('[dir]') === null) block.dir = 'auto';
  }
  for (const link of element.querySelectorAll('a')) withSafeLink(link, rowKey, anchorPrefix);
}

/** The state of a task, which is changed elsewhere: nothing that looks as if one could tick it. */
function taskState({ checked }: HTMLInputElement): HTMLElement {
  const state = document.createElement('span');
  state.dataset.task = checked ? 'done' : 'open';
  state.role = 'img';
  state.ariaLabel = checked ? t('done') : t('open');
  return state;
}

function showAsItIs(element: HTMLElement, text: string): void {
  const note = document.createElement('p');
  note.textContent = t(
    'This text is shown as it is, because it is too long, too deeply nested or too slow to be laid out.',
  );
  const lines = document.createElement('pre');
  lines.textContent = text;
  lines.tabIndex = 0;
  element.replaceChildren(note, lines);
}

function nameHeadings(element: HTMLElement): void {
  const taken = new Map<string, number>();
  for (const heading of element.querySelectorAll('h3, h4, h5, h6')) {
    const name = slugOf(heading.textContent);
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    heading.id = `${anchorPrefix}${name}${count === 0 ? '' : `-${count}`}`;
  }
}

/** The anchor of a heading, as other places that show Markdown make it. */
function slugOf(heading: string): string {
  const words = heading.trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

/** Marks the block of a line, the nearest that begins on it or above, and scrolls to it. Returns whether there is one. */
export function markLine(element: HTMLElement, line: number): boolean {
  let found: HTMLElement | undefined;
  for (const block of element.querySelectorAll<HTMLElement>('[data-line]')) {
    if (Number(block.dataset.line) > line) break;
    found = block;
  }
  if (found === undefined) return false;
  found.dataset.marked = 'true';
  found.scrollIntoView({ block: 'center' });
  return true;
}

/**
 * Marks a passage of the rendered text and scrolls to it. A passage that was cut out of a list or a code block does not
 * read as it stands there: then those of its lines are marked that do.
 */
export async function markPassage(element: HTMLElement, passage: string, signal: AbortSignal): Promise<void> {
  // A row without its table would be read as text with bars.
  const lines = passage
    .split('\n')
    .slice(0, maxMarkedLines)
    .map((line) => (/^\s*\|/.test(line) ? line.replace(/(?<!\\)\|/g, ' ') : line));
  const texts = [passage, ...lines].map((text) => text.slice(0, maxPassageCharacters));
  const [whole = '', ...parts] = (await markupOf({ lineAttribute, imageWord, texts }, signal)).map((pieces) =>
    plainText(pieces?.join('')),
  );
  if (signal.aborted) return;
  let first = markText(element, whole);
  if (first === undefined) {
    for (const part of parts) {
      if (part.length < minMarkedCharacters) continue;
      const mark = markText(element, part);
      first ??= mark;
    }
  }
  first?.scrollIntoView({ block: 'center' });
}

/** Marks a text without white space where it first occurs; returns the beginning of what was marked. */
function markText(element: HTMLElement, wanted: string): HTMLElement | undefined {
  const { text, places } = squeezed(textNodes(element));
  const begin = text.indexOf(wanted);
  if (wanted === '' || begin === -1) return undefined;
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
  return first;
}

/** Markup as it reads, without white space: Markdown and its rendering differ in that. */
function plainText(markup = ''): string {
  const element = document.createElement('div');
  showMarkup(element, markup, '');
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
