import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** Three parsers that share no code, each with raw HTML and with bare addresses as links, the least careful settings. */
const renderers: Record<string, (markdown: string) => string> = {
  'markdown-it': renderWithMarkdownIt(),
  marked: (markdown) => marked.parse(markdown, { gfm: true, async: false }),
  micromark: (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      // Its own extension would make some tags harmless.
      htmlExtensions: [{ ...gfmHtml() }],
    }),
};

/** The elements of headings, lists, quotes, code, tables and emphasis. */
const textElements = new Set(
  'p br hr em strong del s code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a'.split(
    ' ',
  ),
);
/** Attributes besides `href` that the renderers themselves write for code, lists and tables. */
const textAttributes = new Set(['class', 'start', 'align', 'style']);
const ownStyle = /^text-align: ?(left|right|center)$/;

/** Returns a sentence per renderer for everything in a Markdown text that does more than show words; empty if the text is inert. */
export function liveMarkup(markdown: string): string[] {
  return Object.entries(renderers).flatMap(([name, render]) =>
    faults(parseFragment(render(markdown))).map((fault) => `${name}: ${fault}`),
  );
}

/** Returns the text that a reader sees, as the first renderer shows it. */
export function visibleText(markdown: string): string {
  return textOf(parseFragment(renderers['markdown-it']?.(markdown) ?? ''));
}

/** Returns the text of every element of this name, as the first renderer shows it. */
export function renderedElements(markdown: string, name: string): string[] {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (node.nodeName === name) found.push(textOf(node));
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parseFragment(renderers['markdown-it']?.(markdown) ?? ''));
  return found;
}

function renderWithMarkdownIt(): (markdown: string) => string {
  const parser = new MarkdownIt({ html: true, linkify: true });
  // markdown-it refuses javascript: links; other renderers do not.
  parser.validateLink = () => true;
  return (markdown) => parser.render(markdown);
}

function faults(node: Node): string[] {
  const own =
    'tagName' in node ? faultsOf(node) : node.nodeName.startsWith('#text') ? [] : faultOfOther(node);
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(faults)] : own;
}

function faultOfOther({ nodeName }: Node): string[] {
  return nodeName === '#document-fragment' ? [] : [`has ${nodeName}`];
}

function faultsOf(element: Element): string[] {
  const { tagName, attrs } = element;
  if (isTaskBox(element)) return [];
  const found = textElements.has(tagName) ? [] : [`has <${tagName}>`];
  for (const { name, value } of attrs) {
    if (tagName === 'a' && name === 'href') found.push(...faultsOfLink(value, textOf(element)));
    else if (!textAttributes.has(name) || (name === 'style' && !ownStyle.test(value)))
      found.push(`<${tagName}> has ${name}="${value}"`);
  }
  return found;
}

/** Whether an element is the box of `[x]` in a list, as two of the renderers write it. */
function isTaskBox({ tagName, attrs }: Element): boolean {
  const allowed = ['type', 'disabled', 'checked'];
  const isBox = attrs.some(({ name, value }) => name === 'type' && value === 'checkbox');
  return tagName === 'input' && isBox && attrs.every(({ name }) => allowed.includes(name));
}

function faultsOfLink(href: string, text: string): string[] {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return [`a link leads to ${href}`];
  // Renderers complete `www.example.test` and `ada@example.test` to addresses.
  const bare = (address: string) => plain(address).replace(/^(?:https?:\/\/|mailto:)/i, '');
  return bare(text) === bare(href) ? [] : [`a link to ${href} is shown as ${text}`];
}

/** Returns an address with its percent-encoded characters decoded. */
function plain(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function textOf(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
