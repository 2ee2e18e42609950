/** Elements of HTML that a Markdown text may use as they are, without attributes. */
const kept: ReadonlySet<string> = new Set([
  ...['br', 'hr', 'kbd', 'sub', 'sup', 'del', 's', 'em', 'strong', 'code', 'pre', 'p', 'blockquote'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a'],
]);
/** Comments, and elements whose content is no text: they are removed whole. */
const unread =
  /<!--[\s\S]*?(?:--!?>|$)|<(script|style|template|noscript|title|textarea|xmp|iframe|select)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const tags = /<(\/?)([a-z][a-z0-9]*)((?:\s|\/)(?:"[^"]*"|'[^']*'|[^"'<>])*)?>/gi;

/**
 * Reduces HTML in a Markdown text to elements that only give structure, and to links. The sanitiser behind it would do so
 * as well, but the browser complains of what it has to parse for that. An image becomes a link, by `imageLink`.
 */
export function plainHtml(html: string, imageLink: (href: string, words: string) => string): string {
  const read = html.replace(unread, '');
  let plain = '';
  let end = 0;
  for (const tag of read.matchAll(tags)) {
    plain += escapeHtml(read.slice(end, tag.index));
    end = tag.index + tag[0].length;
    const [, slash = '', name = '', attributes = ''] = tag;
    plain += plainTag(name.toLowerCase(), slash, attributes, imageLink);
  }
  return plain + escapeHtml(read.slice(end));
}

function plainTag(
  name: string,
  slash: string,
  attributes: string,
  imageLink: (href: string, words: string) => string,
): string {
  if (name === 'img' && slash === '') {
    const source = attributeOf(attributes, 'src');
    return source === '' ? '' : imageLink(source, attributeOf(attributes, 'alt'));
  }
  if (!kept.has(name)) return '';
  const href = name === 'a' && slash === '' ? attributeOf(attributes, 'href') : '';
  return href === '' ? `<${slash}${name}>` : `<a href="${escapeHtml(href)}">`;
}

function attributeOf(attributes: string, name: string): string {
  const [, double, single] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes) ?? [];
  return double ?? single ?? '';
}

/** A text as HTML; what is written as an entity stays one. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&(?!#?\w{1,32};)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
