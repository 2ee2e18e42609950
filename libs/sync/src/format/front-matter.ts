import { maxFrontmatterBytes, maxFrontmatterLevels } from '@teammemory/vocabulary/limits.ts';
import { frontmatterTextSaysPrivate, namesPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { Document, isCollection, parseDocument, type ToStringOptions, visit } from 'yaml';
import { SyncError } from '../sync-error.ts';

/** The service accepts this much as JSON, and the YAML source is never much longer. */
const maxSourceCharacters = maxFrontmatterBytes;
/** Enough for a few anchors, and too few for a document that explodes when it is expanded. */
const maxAliases = 10;

export type FrontMatter = Record<string, unknown>;

export interface SplitText {
  frontmatter: FrontMatter;
  /** What stands between the two fences, with its last line end; undefined without a block. */
  source?: string;
  body: string;
}

const opening = /^\ufeff?---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;
/** What a reader would take for front matter although this parser does not: after blank lines, TOML, old line ends. */
const likeOpening = /^[\ufeff\s]*(?:-{3}|\+{3})/;
/** A private marker is searched in this much of such a text. */
const maxSearchedCharacters = 4_096;

/**
 * Splits a file into its front matter and its body, which begins after the line that closes the block. A file without a
 * block, such as one that begins with a horizontal rule, is all body. Throws SyncError `invalid_front_matter` for a block that is not closed or not a YAML mapping: if it
 * counted as text, something that its author marked as private could be published.
 */
export function splitFrontMatter(text: string): SplitText {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return { frontmatter: {}, body: unmarked(text) };
  const rest = text.slice(start);
  const end = closing.exec(rest);
  if (end === null) {
    if (/^[\w-]+[ \t]*:/.test(rest)) throw invalid('its front matter has no closing line ---');
    return { frontmatter: {}, body: unmarked(text) }; // a text that begins with a horizontal rule
  }
  const source = rest.slice(0, end.index);
  try {
    return { frontmatter: parseSource(source), source, body: rest.slice(end.index + end[0].length) };
  } catch (cause) {
    if (!isBetweenRules(source)) throw cause;
    return { frontmatter: {}, body: unmarked(text) };
  }
}

/** A member in the first line that is no comment. */
const firstMember = /^(?:[ \t]*#[^\n]*\n)*[^\n]*:(?:\s|$)/;

/** Whether what is no front matter is text between two horizontal rules, rather than front matter with a mistake. */
function isBetweenRules(source: string): boolean {
  if (/^[ \t]*\r?\n/.test(source)) return true;
  return !firstMember.test(source) && !namesPrivate(source);
}

/** Returns a text without front matter. Throws if it begins with something like front matter that has a private marker. */
function unmarked(text: string): string {
  if (!likeOpening.test(text)) return text;
  // Line by line, because indentation means nothing in a text that is not YAML.
  const lines = text.slice(0, maxSearchedCharacters).split(/[\r\n\u2028\u2029]/);
  if (lines.some(frontmatterTextSaysPrivate)) {
    throw invalid('it begins with front matter that cannot be read and seems to be private');
  }
  return text;
}

/** Parses what stands between the fences. Throws SyncError `invalid_front_matter`. */
export function parseSource(source: string): FrontMatter {
  if (source.length > maxSourceCharacters) throw invalid('its front matter is longer than 32 KiB');
  const value = toJson(parseYaml(source), maxFrontmatterLevels);
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('its front matter is not a mapping');
  return value as FrontMatter;
}

/** The core schema has no dates and no tags that construct objects, so a date stays a text. */
function parseYaml(source: string): unknown {
  try {
    const document = parseDocument(source, {
      schema: 'core',
      resolveKnownTags: false,
      stringKeys: true,
      intAsBigInt: true,
      logLevel: 'error',
    });
    if (document.errors[0]) throw document.errors[0];
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (cause) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    // The parser counts from the line behind the fence.
    const inFile = reason.replace(/(?<= at line )\d+/, (line) => String(Number(line) + 1)).replace(/:$/, '');
    throw invalid(`its front matter is not valid YAML: ${inFile}`);
  }
}

/** A number that JSON cannot hold (beyond 2^53, infinity) becomes a text rather than another number. */
function toJson(value: unknown, levels: number): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (levels === 0) throw invalid(`its front matter is deeper than ${maxFrontmatterLevels} levels`);
  if (Array.isArray(value)) return value.map((entry) => toJson(entry, levels - 1));
  // fromEntries defines properties, so a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry, levels - 1)]));
}

function invalid(reason: string): SyncError {
  return new SyncError('invalid_front_matter', `cannot be pushed: ${reason}`);
}

/**
 * Returns front matter in the usual styles, the plainest first, each as a whole block with its two fences. Throws
 * SyncError `invalid_front_matter` if the data is too deep.
 */
export function frontMatterBlocks(frontmatter: FrontMatter): string[] {
  const data = toJson(frontmatter, maxFrontmatterLevels);
  if (Object.keys(frontmatter).length === 0) return ['---\n---\n'];
  const quotes: ToStringOptions[] = [
    {},
    { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' },
    { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' },
  ];
  return quotes.flatMap((quote) => [
    block(new Document(data), quote),
    block(new Document(data), { ...quote, indentSeq: false }),
    block(withFlowCollections(new Document(data)), { ...quote, flowCollectionPadding: false }),
  ]);
}

function block(document: Document, style: ToStringOptions): string {
  return `---\n${document.toString({ lineWidth: 0, ...style })}---\n`;
}

/** Writes `tags: [a, b]` instead of one line for each tag. */
function withFlowCollections(document: Document): Document {
  visit(document, (_, node) => {
    if (isCollection(node) && node !== document.contents) node.flow = true;
  });
  return document;
}
