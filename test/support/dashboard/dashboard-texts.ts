import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

const root = join(import.meta.dirname, '..', '..', '..', 'gateway', 'dashboard', 'src');
/** Attributes that people read or hear. */
const visibleAttributes =
  /^(?:title|label|caption|aria-label|hint|description|submit|placeholder|confirm|leave|nothing|all|alt)$/;
/** Elements whose text is the same in every language, as that of an element with `translate`. */
const elementsOfCode = /^(?:code|kbd|pre)$/;
/** Words, as opposed to names that programs read. */
const words = /^\p{Lu}\p{Ll}+(?:$|[ ,.:?!…])/u;
/** Strings that are the same in every language: names, keys of the keyboard and what programs read. */
const names = new Set([
  'Team Memory',
  'Claude Desktop',
  'Windows',
  'Escape',
  'Enter',
  'Problem',
  'Authorization: Bearer {}',
]);
/** The log of what was done is in English, as the service writes it. */
const englishFiles = new Set(['pages/team/audit-words.ts']);

interface Node {
  type: string;
  [member: string]: unknown;
}

/** Where a text is used, and its form for one thing if it depends on a number. */
export interface UsedText {
  paths: Set<string>;
  one: string | undefined;
}

/** What the sources of the dashboard say. */
export interface DashboardTexts {
  /** By the English text. */
  used: Map<string, UsedText>;
  /** Words that do not go through the catalogue, with their file. */
  outside: string[];
  /** Files whose texts are read when they are loaded. */
  early: Set<string>;
  /** What each file loads before it runs. */
  imports: Map<string, string[]>;
  /** The pages that are shown before all texts are there. */
  firstPages: string[];
}

/** Reads the sources of the dashboard. */
export function dashboardTexts(): DashboardTexts {
  const texts: DashboardTexts = {
    used: new Map(),
    outside: [],
    early: new Set(),
    imports: new Map(),
    firstPages: [],
  };
  const paths = globSync('**/*.{ts,tsx}', { cwd: root });
  for (const path of paths.filter((each) => !/\.test\.ts$|^language\//.test(each))) {
    texts.imports.set(path, []);
    visit(parsed(path), [], (node, above) => readNode(node, above, path, texts));
  }
  return texts;
}

/** Reads the German texts of one file, or of all files but it, by their English. */
export function germanTexts(firstView: boolean): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const path of globSync('language/german/*.ts', { cwd: root })) {
    if (path.endsWith('first-view.ts') !== firstView) continue;
    visit(parsed(path), [], (node) => {
      if (node.type !== 'Property') return;
      const { key, value } = node as unknown as { key: Node; value: Node };
      const forms = value.type === 'ArrayExpression' ? (value.elements as Node[]) : [value];
      const english = String(key.value ?? key.name);
      texts.set(english, [...(texts.get(english) ?? []), ...forms.map((form) => String(form.value))]);
    });
  }
  return texts;
}

/** What a file loads before it runs, with all that is loaded with it. */
export function loadedWith(
  path: string,
  { imports }: DashboardTexts,
  found = new Set<string>(),
): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of imports.get(path) ?? []) loadedWith(imported, { imports } as DashboardTexts, found);
  return found;
}

function readNode(node: Node, above: readonly Node[], path: string, texts: DashboardTexts): void {
  const source = (node.source as Node | undefined)?.value;
  if (/^(?:Import|ExportNamed)Declaration$/.test(node.type) && /^\./.test(String(source))) {
    texts.imports.get(path)?.push(join(dirname(path), String(source)));
  }
  if (node.type === 'CallExpression') readCall(node, above, path, texts);
  const said = wordsOf(node, above);
  if (said !== undefined && !englishFiles.has(path)) texts.outside.push(`${path}: ${said}`);
}

function readCall(node: Node, above: readonly Node[], path: string, texts: DashboardTexts): void {
  const name = (node.callee as Node).name;
  const [first, second, third] = node.arguments as Node[];
  if (name === 'lazyPage' && second?.value === true) {
    visit(first as Node, [], (each) => {
      const imported = each.type === 'ImportExpression' ? String((each.source as Node).value) : '';
      if (imported !== '') texts.firstPages.push(join(dirname(path), imported));
    });
  }
  if (name !== 't' && name !== 'plural') return;
  if (!above.some(({ type }) => /Function/.test(type))) texts.early.add(path);
  const one = name === 'plural' ? String(second?.value) : undefined;
  for (const text of literalsOf(name === 'plural' ? third : first)) {
    const known = texts.used.get(text) ?? { paths: new Set(), one };
    known.paths.add(path);
    texts.used.set(text, known);
    if (known.one !== one) texts.outside.push(`${path}: two forms for one thing of “${text}”`);
  }
}

/** The texts that an argument may be: one, or one of two. */
function literalsOf(node: Node | undefined): string[] {
  if (node?.type === 'ConditionalExpression') {
    return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)];
  }
  return [typeof node?.value === 'string' ? node.value : '(a text that is not written where it is used)'];
}

/** The words of a node that somebody reads as they stand there. */
function wordsOf(node: Node, above: readonly Node[]): string | undefined {
  const parent = above.at(-1);
  if (node.type === 'JSXText') {
    const isFree = !above.some((each) => each.type === 'JSXElement' && isSameEverywhere(each));
    return isFree && /\p{L}/u.test(String(node.value).replaceAll(/&\w+;/g, ''))
      ? String(node.value).trim()
      : undefined;
  }
  const text = textOf(node);
  if (text === undefined || names.has(text) || above.some(isUnread)) return undefined;
  if (parent?.type === 'Property' && parent.key === node) return undefined;
  return words.test(text) || (/\p{L}/u.test(text) && isShown(node, above)) ? text : undefined;
}

/** Whether a string, or one of two, is the content of an element or an attribute that people read. */
function isShown(node: Node, above: readonly Node[]): boolean {
  let [shown, place] = [node, above.length - 1];
  for (; /^(?:Conditional|Logical)Expression$/.test(above[place]?.type ?? ''); place -= 1) {
    if (above[place]?.test === shown) return false;
    shown = above[place] as Node;
  }
  const isExpression = above[place]?.type === 'JSXExpressionContainer';
  const holder = above[isExpression ? place - 1 : place];
  if (holder?.type !== 'JSXAttribute') return isExpression;
  // A path is the same in every language.
  return visibleAttributes.test(String((holder.name as Node).name)) && !textOf(node)?.includes('/');
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
}

function isSameEverywhere({ openingElement }: Node): boolean {
  const { name, attributes } = openingElement as { name: Node; attributes: Node[] };
  return (
    elementsOfCode.test(String(name.name)) ||
    attributes.some((each) => (each.name as Node | undefined)?.name === 'translate')
  );
}

/** Texts of the catalogue, types, imports, messages of faults and comparisons. */
function isUnread({ type, callee }: Node): boolean {
  const name = String((callee as Node | undefined)?.name);
  return (
    (type === 'CallExpression' && /^(?:t|plural)$/.test(name)) ||
    (type === 'NewExpression' && /Error$/.test(name)) ||
    /^(?:TS(?!As|Satisfies|NonNull)|Import|Export(?:All)|BinaryExpression|SwitchCase)/.test(type)
  );
}

function parsed(path: string): Node {
  return parseSync(path, readFileSync(join(root, path), 'utf8')).program as unknown as Node;
}

function visit(node: Node, above: readonly Node[], read: (node: Node, above: readonly Node[]) => void): void {
  read(node, above);
  const inside = [...above, node];
  for (const child of Object.values(node).flat()) {
    if (typeof (child as Node | null)?.type === 'string') visit(child as Node, inside, read);
  }
}
