import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** Three parsers that share no code, each with raw HTML and bare addresses as links, as the least careful reader has them. */
const renderers: Record<string, (markdown: string) => string> = {
  'markdown-it': renderWithMarkdownIt(),
  marked: (markdown) => marked.parse(markdown, { gfm: true, async: false }),
  micromark: (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      // It would itself take the danger out of some tags.
      htmlExtensions: [{ ...gfmHtml() }],
    }),
};

/** What headings, lists, quotes, code, tables and emphasis become. */
const textElements = new Set(
  'p br hr em strong del s code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a'.split(
    ' ',
  ),
);
/** Besides `href`: what the renderers write for code, lists and tables themselves. */
const textAttributes = new Set(['class', 'start', 'align', 'style']);
const ownStyle = /^text-align: ?(left|right|center)$/;

/** Everything in a Markdown text that more than shows words, told by each renderer in a sentence; empty where it is inert. */
export function liveMarkup(markdown: string): string[] {
  return Object.entries(renderers).flatMap(([name, render]) =>
    faults(parseFragment(render(markdown))).map((fault) => `${name}: ${fault}`),
  );
}

/** The text that a reader sees, by the first renderer. */
export function visibleText(markdown: string): string {
  return textOf(parseFragment(renderers['markdown-it']?.(markdown) ?? ''));
}

/** The contents of every element of this name, by the first renderer. */
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
  // It refuses javascript: by itself; other renderers do not.
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

/** `[x]` in a list, as two of the renderers show it. */
function isTaskBox({ tagName, attrs }: Element): boolean {
  const allowed = ['type', 'disabled', 'checked'];
  const isBox = attrs.some(({ name, value }) => name === 'type' && value === 'checkbox');
  return tagName === 'input' && isBox && attrs.every(({ name }) => allowed.includes(name));
}

function faultsOfLink(href: string, text: string): string[] {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return [`a link leads to ${href}`];
  // Renderers complete `www.example.test` and `ada@example.test`.
  const bare = (address: string) => plain(address).replace(/^(?:https?:\/\/|mailto:)/i, '');
  return bare(text) === bare(href) ? [] : [`a link to ${href} is shown as ${text}`];
}

/** An address whichever way its characters are written. */
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
