import { privateNames } from './tier.ts';

/** Members of a front matter that say who may see the content. */
const markerNames: readonly string[] = ['audience', 'audiences', 'tier', 'tiers'];
/** Levels of a front matter that are looked at; deeper ones are refused elsewhere. */
const maxLevels = 10;

/** Letters of other alphabets, and without a dot, that look like those of our words. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a',
  ɑ: 'a',
  α: 'a',
  ԁ: 'd',
  е: 'e',
  ε: 'e',
  і: 'i',
  ı: 'i',
  ι: 'i',
  ɩ: 'i',
  ⅼ: 'l',
  ӏ: 'l',
  м: 'm',
  п: 'n',
  ո: 'n',
  о: 'o',
  ο: 'o',
  օ: 'o',
  р: 'p',
  ρ: 'p',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ս: 'u',
  ν: 'v',
  ѵ: 'v',
  с: 'c',
  // Small capitals.
  ᴀ: 'a',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ɪ: 'i',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ʀ: 'r',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
};
const lookAlike = new RegExp(`[${Object.keys(lookAlikes).join('')}]`, 'g');
/** Accents, and what is not shown at all: zero-width and control characters, soft hyphens, variation selectors. */
const unseen = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t\n\r])\p{Cc}/gu;
const notLetters = /[^\p{L}\p{N}]+/u;
/** A character of its own kind that looks like a blank. */
const brailleBlank = '\u2800';
/** A private name whose letters stand apart: `p.r.i.v.a.t.e`. */
const spacedName = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${privateNames.map((name) => [...name].join('[^\\p{L}\\p{N}]{1,2}')).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);
/** A character written as its number, as YAML and JSON do between double quotes. */
const escaped = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/gi;

/** A text as it is compared: one case and width, no accents, nothing that cannot be seen, letters by their looks. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(unseen, '')
    .toLowerCase()
    .replace(lookAlike, (letter) => lookAlikes[letter] ?? letter);
}

/** Whether a text has a name of tier admin as one of its words: `private, team` might mean private. */
export function namesPrivate(text: string): boolean {
  return hasPrivateWord(folded(text));
}

function hasPrivateWord(text: string): boolean {
  // Most texts are told apart by this alone, at a fraction of the cost.
  if (!mayNamePrivate(text)) return false;
  const readings = [text, text.replaceAll(brailleBlank, '')];
  const words = readings.flatMap((reading) => reading.split(notLetters));
  return words.some((word) => privateNames.includes(word)) || spacedName.test(text);
}

function mayNamePrivate(text: string): boolean {
  const seen = text.replaceAll(brailleBlank, '');
  return privateNames.some((name) => seen.includes(name)) || spacedName.test(text);
}

/** The place in a list behind a name: `audience[0]`. */
const listPlace = /\[[^[\]]{0,20}\](?=["'\s]*$)/;

function isMarkerName(name: string): boolean {
  return markerNames.includes(name.replace(listPlace, '').split(notLetters).join(''));
}

/**
 * Whether a front matter marks its content as private: a member called
 * audience or tier, however it is written, with a name of tier admin anywhere
 * in its value, be that a text, a list or a mapping. A member `<<` counts as if
 * its members stood beside it, as in YAML 1.1.
 */
export function frontmatterSaysPrivate(frontmatter: unknown): boolean {
  return hasMarker(frontmatter, maxLevels);
}

function hasMarker(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  if (Array.isArray(value)) return value.some((one) => hasMarker(one, levels - 1));
  return Object.entries(value).some(([name, member]) => {
    if (name.trim() === '<<') return hasMarker(member, levels - 1);
    return isMarkerName(folded(name)) && mentionsPrivate(member, levels);
  });
}

function mentionsPrivate(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return namesPrivate(value);
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return Object.entries(value).some(
    ([name, member]) => namesPrivate(name) || mentionsPrivate(member, levels - 1),
  );
}

const lineEnd = /\r\n?|[\n\u2028\u2029\u0085]/;
/** Front matter begins with a line of three hyphens, or of three plus signs, before which there is nothing to see, or is JSON. */
const opening = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*(?:(?:---|\+\+\+)(?![-+])|(?=\{))/u;
/** Characters in which front matter is looked for: twice what front matter may have. */
const maxSearchedCharacters = 64 * 1024;
const closing = /^(?:---|\.\.\.|\+\+\+)\s*$/;
const closingOfJson = /^\}/;

/**
 * Whether content begins with front matter that marks it as private, within
 * its first 64 Ki characters. What has no end there is taken as front matter up
 * to its first blank line.
 */
export function contentSaysPrivate(content: string): boolean {
  const searched = content.slice(0, maxSearchedCharacters);
  const begin = opening.exec(searched)?.[0];
  if (begin === undefined) return false;
  const lines = searched.slice(begin.length).split(lineEnd);
  const isJson = lines[0]?.startsWith('{') && begin.trim() === '';
  const form = isJson ? closingOfJson : closing;
  const end = lines.findIndex((line, index) => index > 0 && form.test(line));
  const blank = lines.findIndex((line, index) => index > 0 && line.trim() === '');
  const last = end >= 0 ? end : blank;
  return frontmatterTextSaysPrivate(lines.slice(0, last < 0 ? undefined : last).join('\n'));
}

const alias = /(?:^|[\s[{,])\*/;
/** What YAML reads as bytes: `audience: !!binary cHJpdmF0ZQ==`. */
const binary = /!(?:!|<tag:yaml\.org,2002:)binary>?[\s"'|>-]*([A-Za-z0-9+/]{4,}={0,2})/g;
/** A tag with a name of its own, which may contain what begins a member: `!<tag:yaml.org,2002:str>`. */
const verbatimTag = /!<[^<>\r\n]{0,100}>/g;
/** A line of a text between double quotes that goes on in the next one. */
const continued = /\\(?:\r\n?|\n)[ \t]*/g;
/** A line that begins a mapping in braces, whose members may stand on lines of their own, indented at will. */
const mappingInBraces = /^[ \t]*(?:[!&]\S*[ \t]+)*\{/m;
/** Before the next member of a mapping on one line: `{ a: 1, audience: x }`. */
const nextMember = /[{,](?=[^{},:=]{1,100}[:=])/;

/**
 * Whether front matter as its author wrote it marks content as private. It is
 * read line by line rather than parsed: whatever a parser of YAML or TOML could
 * take for an audience counts, time is linear in the text, and no alias is ever
 * followed.
 */
export function frontmatterTextSaysPrivate(text: string): boolean {
  const joined = text.replace(continued, '');
  const decoded = joined.replace(binary, (written, code) => `${written} ${textOfBinary(code)}`);
  const untagged = decoded.replace(verbatimTag, ' ');
  const plain = folded(untagged.replace(escaped, (_, ...codes) => characterOf(codes)));
  if (!mayNamePrivate(plain)) return false;
  // What is merged may stand anywhere, and so may what is in braces.
  const isAnywhere = plain.includes('<<') || mappingInBraces.test(plain);
  // What an alias stands for is written somewhere in the text.
  let isAliasPrivate: boolean | undefined;
  let outermost: number | undefined;
  let isMarker = false;
  let openQuote = '';
  for (const line of plain.split(lineEnd)) {
    // A value between quotes may go on in the next line; only that of an audience matters.
    const { words, quote } = withoutComment(line, isMarker ? openQuote : '');
    openQuote = quote;
    if (words.trim() === '') continue;
    const indent = words.length - words.trimStart().length;
    outermost ??= indent;
    for (const [index, part] of words.split(nextMember).entries()) {
      const { name, value } = memberOf(part);
      const beginsMember = name !== undefined && (index > 0 || isAnywhere || indent <= outermost);
      if (beginsMember) isMarker = isMarkerName(name);
      if (isMarker && hasPrivateWord(beginsMember ? value : part)) return true;
      if (isMarker && alias.test(value)) isAliasPrivate ??= hasPrivateWord(plain);
      if (isAliasPrivate) return true;
    }
  }
  return false;
}

/** Returns a line without its comment, and the quote that is still open at its end. What is between quotes is no comment. */
function withoutComment(line: string, openBefore: string): { words: string; quote: string } {
  let quote = openBefore;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      // An apostrophe within a word opens nothing.
      if (at === 0 || ' \t:=,[{('.includes(line.charAt(at - 1))) quote = character;
    } else if (character === '#' && (at === 0 || ' \t'.includes(line.charAt(at - 1)))) {
      return { words: line.slice(0, at), quote };
    }
  }
  return { words: line, quote };
}

/** The text in base64, on one line; empty for what is none. */
function textOfBinary(code: string): string {
  try {
    return atob(code).replace(/\s/g, ' ');
  } catch {
    return '';
  }
}

function characterOf(codes: readonly unknown[]): string {
  const code = Number.parseInt(String(codes.find((digits) => typeof digits === 'string')), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** What stands before and behind the first colon or equals sign; a `?` begins the name of a member, too. */
function memberOf(part: string): { name: string | undefined; value: string } {
  const words = part.trimStart();
  if (words.startsWith('?')) return { name: words.slice(1), value: '' };
  const sign = words.search(/[:=]/);
  // A value behind a sign at the beginning belongs to the name above it.
  if (sign <= 0) return { name: undefined, value: words };
  // Neither an anchor nor a tag is part of a name.
  return { name: words.slice(0, sign).replace(/[&!]\S*/g, ''), value: words.slice(sign + 1) };
}
