import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

// Changes of a JSON text that leave every other byte as it is: comments, order, indentation and line ends.

/** Parses a text. Throws SyntaxError for one that is not valid or is no object. */
export function parseJson(text: string, { comments }: { comments: boolean }): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: comments });
  if (root === undefined || errors.length > 0) throw new SyntaxError('It is not valid JSON.');
  if (root.type !== 'object') throw new SyntaxError('It is not a JSON object.');
  return root;
}

/** Returns the value of a member; undefined if there is none. Throws SyntaxError if there are two. */
export function memberOf(object: Node, name: string): Node | undefined {
  const members = (object.children ?? []).filter((member) => member.children?.[0]?.value === name);
  if (members.length > 1) throw new SyntaxError(`It has ${name} twice.`);
  return members[0]?.children?.[1];
}

/** Replaces a value. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  const style = styleOf(text);
  const written = format(value, indentAt(text, node.offset), style);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** Adds a member at the end of an object, or without a name an element at the end of an array. */
export function insertLast(
  text: string,
  container: Node,
  { name, value }: { name?: string; value: unknown },
): string {
  const style = styleOf(text);
  const prefix = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const end = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const outer = indentAt(text, container.offset);
    const inner = outer + style.unit;
    const inside = text.slice(container.offset + 1, end).trimEnd();
    const added = `${style.eol}${inner}${prefix}${format(value, inner, style)}${style.eol}${outer}`;
    return text.slice(0, container.offset + 1) + inside + added + text.slice(end);
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd);
  const afterLast = comma === undefined ? lastEnd : comma + 1;
  const before = text.slice(0, lastEnd) + (comma === undefined ? ',' : text.slice(lastEnd, afterLast));
  const trailing = comma === undefined ? '' : ',';
  if (!text.slice(container.offset, last.offset).includes('\n')) {
    return `${before} ${prefix}${JSON.stringify(value)}${trailing}${text.slice(afterLast)}`;
  }
  const inner = indentAt(text, last.offset);
  const at = endOfComments(text, afterLast);
  const added = `${style.eol}${inner}${prefix}${format(value, inner, style)}${trailing}`;
  return before + text.slice(afterLast, at) + added + text.slice(at);
}

/** Removes a member of an object, or an element of an array. */
export function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const previous = children[children.indexOf(child) - 1];
  const end = child.offset + child.length;
  const comma = commaAfter(text, end);
  const from = text.slice(0, child.offset).trimEnd().length;
  const after = text.slice(comma === undefined ? end : comma + 1);
  const close = container.offset + container.length - 1;
  if (children.length === 1 && from === container.offset + 1) {
    const rest = text.slice(comma === undefined ? end : comma + 1, close);
    if (rest.trim() === '') return text.slice(0, from) + text.slice(close);
  }
  const isLast = children.at(-1) === child;
  const commaBefore = previous && commaAfter(text, previous.offset + previous.length);
  if (!isLast || comma !== undefined || commaBefore === undefined) return text.slice(0, from) + after;
  return text.slice(0, commaBefore) + text.slice(commaBefore + 1, from) + after;
}

interface Style {
  eol: string;
  /** One level of indentation. */
  unit: string;
}

function styleOf(text: string): Style {
  const [, unit = '  '] = /^\s*\{[^\S\n]*\r?\n([ \t]+)/.exec(text) ?? [];
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit };
}

function format(value: unknown, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

/** The white space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The comma that is the next token, if it is one. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

/** The end of the comments that stand behind something on its line. */
function endOfComments(text: string, offset: number): number {
  const [comments = ''] =
    /^(?:[ \t]*\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(offset)) ?? [];
  return offset + comments.length;
}
