import { assignment, flagAt, isSign, signAt } from './secret-assignments.ts';
import {
  characterClass,
  endOfOwnCredential,
  endOfRun,
  entropyOf,
  isOfClass,
  isPlaceholder,
  isRandom,
  type SecretForm,
  secretForms,
} from './secret-forms.ts';

/** A credential in a text. */
export interface FoundSecret {
  /** From 1. */
  line: number;
  /** In words, with an article: `a GitHub token`. */
  kind: string;
  /** What tells it apart from others of its kind. It is compared, and never told, logged or stored. */
  value: string;
}

/** Finds the credentials in a text. */
export type SecretFinder = (text: string) => readonly FoundSecret[];

/** Whether a front matter lets a text through that has credentials: `tms: allow-secret`. */
export function allowsSecrets(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const { tms } = frontmatter;
  return [tms].flat().includes('allow-secret');
}

/** Findings of a text that are told. */
const maxTold = 3;

/** Says in words where credentials are, without their values: `line 3 has a GitHub token`. */
export function describeSecrets(found: readonly FoundSecret[]): string {
  const told = [...new Set(found.map(({ line, kind }) => `line ${line} has ${kind}`))];
  return [...told.slice(0, maxTold), ...(told.length > maxTold ? ['there are more'] : [])].join(', ');
}

/** Whether a text has no credential that another text lacks. A text with too many to find all of them counts as having one. */
export function hasNoFurtherSecret(found: readonly FoundSecret[], before: readonly FoundSecret[]): boolean {
  const known = new Set(before.map(({ kind, value }) => `${kind} ${value}`));
  return found.length < maxFindings && found.every(({ kind, value }) => known.has(`${kind} ${value}`));
}

/** Findings of one text. */
const maxFindings = 100;
const word = characterClass.alphanumeric | characterClass.dash;

/** Forms by the first two characters of their prefix, both ASCII, so that most words of a text are told apart at once. */
const formsByStart: (SecretForm[] | undefined)[] = Array(128 * 128);
for (const one of secretForms) {
  const start = startOf(one.prefix, 0);
  formsByStart[start] = [...(formsByStart[start] ?? []), one];
}

function startOf(text: string, at: number): number {
  return text.charCodeAt(at) * 128 + text.charCodeAt(at + 1);
}

/**
 * Finds credentials in a text: those of a known form, private keys, JSON web tokens, passwords in addresses, and random
 * texts that are assigned to a name such as `password`. Returns at most 100, in order; none for most texts. Time is linear
 * in the text, whatever it is. What is encoded, encrypted or split is not found.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: Finding[] = [];
  findOwn(text, found);
  findPrivateKeys(text, found);
  for (let at = 0; at < text.length && found.length < maxFindings; ) {
    const code = text.charCodeAt(at);
    if (isOfClass(code, word)) {
      const end = endOfRun(text, at, word);
      const kind = kindIn(text, at);
      if (kind !== undefined) found.push({ at, kind, value: untilBlank(text, at) });
      const flag = code === dashSign ? flagAt(text, at, end) : undefined;
      if (flag !== undefined) found.push({ at, kind: assignment, value: flag.value });
      at = flag?.end ?? end;
    } else if (isSign(code)) {
      const { kind, value, end } = signAt(text, at);
      if (kind !== undefined) found.push({ at, kind, value: value ?? untilBlank(text, at) });
      at = end;
    } else at += 1;
  }
  return withLines(text, found);
}

/** A finding by its position. */
interface Finding extends Omit<FoundSecret, 'line'> {
  at: number;
}

const dashSign = 0x2d;
/** More than credentials of one kind have in common at their beginnings. */
const maxComparedCharacters = 4_000;

/** Returns a text from a position up to a blank or a quote. */
function untilBlank(text: string, from: number): string {
  let end = from;
  const limit = Math.min(text.length, from + maxComparedCharacters);
  while (end < limit && !' \t\r\n"\'`<>|'.includes(text.charAt(end))) end += 1;
  return text.slice(from, end);
}

/** Sorts findings and replaces positions by lines. */
function withLines(text: string, found: Finding[]): FoundSecret[] {
  found.sort((a, b) => a.at - b.at);
  let line = 1;
  let counted = 0;
  return found.slice(0, maxFindings).map(({ at, kind, value }) => {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
      line += 1;
      counted = end + 1;
    }
    return { line, kind, value };
  });
}

function findOwn(text: string, found: Finding[]): void {
  for (let at = text.indexOf('tms'); at >= 0 && found.length < maxFindings; ) {
    const end = endOfOwnCredential(text, at);
    if (end !== undefined) {
      found.push({ at, kind: 'a credential of this service', value: text.slice(at, end) });
    }
    at = text.indexOf('tms', end ?? at + 3);
  }
}

const keyLabel = 'PRIVATE KEY';
const labelEnds = ['-----', ' BLOCK-----'];
const mostLabelCharacters = 32;
/** Where the text of a key begins: its headers are shorter. */
const searchedForKey = 1_000;
const fewestKeyCharacters = 32;
const fewestKeyBits = 3;

/** Finds the begin line of a private key with the key behind it. */
function findPrivateKeys(text: string, found: Finding[]): void {
  for (let at = text.indexOf(keyLabel); at >= 0 && found.length < maxFindings; ) {
    let next = at + keyLabel.length;
    const start = Math.max(0, at - mostLabelCharacters);
    const begin = text.slice(start, at).lastIndexOf('-----BEGIN ');
    const labelEnd = labelEnds.find((end) => text.startsWith(end, next));
    if (begin >= 0 && labelEnd !== undefined) {
      next += labelEnd.length;
      const key = firstLongRun(text, next);
      // More than its first line, which keys of one kind share.
      const value = text.slice(next, key.limit);
      if (key.isFound) found.push({ at: start + begin, kind: 'a private key', value });
      next = key.end;
    }
    at = text.indexOf(keyLabel, next);
  }
}

/** Looks for base64 of a key, up to the line that ends it. */
function firstLongRun(text: string, from: number): { isFound: boolean; end: number; limit: number } {
  const close = text.slice(from, from + searchedForKey).indexOf('-----');
  const limit = close < 0 ? Math.min(text.length, from + searchedForKey) : from + close;
  for (let at = from; at < limit; at += 1) {
    const end = endOfRun(text, at, characterClass.base64, limit);
    if (end - at >= fewestKeyCharacters) {
      const run = text.slice(at, end);
      if (!isPlaceholder(run) && entropyOf(run) > fewestKeyBits) return { isFound: true, end, limit };
    }
    at = Math.max(at, end);
  }
  return { isFound: false, end: limit, limit };
}

/** Returns the kind of the credential at the beginning of a run of word characters, or behind an escape such as `\n` or `%20` there. */
function kindIn(text: string, from: number): string | undefined {
  let start = from;
  while (isOfClass(text.charCodeAt(start), characterClass.dash)) start += 1;
  const kind = kindAt(text, start);
  if (kind !== undefined || from === 0) return kind;
  const before = text.charCodeAt(from - 1);
  if (before === backslash) return kindAt(text, from + 1);
  return before === percentSign ? kindAt(text, from + 2) : undefined;
}

const backslash = 0x5c;
const percentSign = 0x25;

/** Returns the kind of the credential that begins here, if one does. */
function kindAt(text: string, at: number): string | undefined {
  const start = startOf(text, at);
  if (start === startOfJwt && isJwt(text, at)) return 'a JSON web token';
  if (start === startOfSendGrid && isSendGrid(text, at)) return 'a SendGrid key';
  const forms = formsByStart[start];
  if (forms === undefined) return undefined;
  for (const { prefix, kind, body: wanted, least, most, isReal } of forms) {
    if (!text.startsWith(prefix, at)) continue;
    const from = at + prefix.length;
    const end = endOfRun(text, from, wanted);
    if (end - from < least || end - from > most) continue;
    const body = text.slice(from, end);
    if ((isReal ?? isRandom)(body)) return kind;
  }
  return undefined;
}

const startOfJwt = startOf('ey', 0);
const startOfSendGrid = startOf('SG', 0);
/** A header and claims of a token that a client sends are shorter. */
const maxJwtPartCharacters = 16_384;
const fewestHeaderCharacters = 15;
/** Of the shortest keyed hash that is used. */
const fewestSignatureCharacters = 40;
/** Claims of RFC 7519: a token that a service issues has some of them. */
const registeredClaims = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'];
/** Of the token on jwt.io, which many texts quote. */
const exampleSubject = '"1234567890"';

/** Three parts with points between them; the first two are objects in base64, the first of them names an algorithm. */
function isJwt(text: string, at: number): boolean {
  const headerEnd = endOfRun(text, at, word);
  if (headerEnd - at < fewestHeaderCharacters || text.charAt(headerEnd) !== '.') return false;
  const claimsEnd = endOfRun(text, headerEnd + 1, word);
  if (text.charAt(claimsEnd) !== '.') return false;
  if (endOfRun(text, claimsEnd + 1, word) - claimsEnd <= fewestSignatureCharacters) return false;
  if (!objectIn(text.slice(at, headerEnd)).includes('"alg":')) return false;
  const claims = objectIn(text.slice(headerEnd + 1, claimsEnd));
  return registeredClaims.some((name) => claims.includes(`"${name}":`)) && !claims.includes(exampleSubject);
}

/** Returns the JSON of an object in base64, or an empty text. It is not parsed: prepared faults of many would take long. */
function objectIn(part: string): string {
  if (part.length > maxJwtPartCharacters) return '';
  const json = Buffer.from(part, 'base64url').toString('latin1').replaceAll('": ', '":').trim();
  return json.startsWith('{') && json.endsWith('}') ? json : '';
}

/** `SG.`, 22 characters, a point, 43 characters. */
function isSendGrid(text: string, at: number): boolean {
  if (text.charAt(at + 2) !== '.') return false;
  const middle = endOfRun(text, at + 3, word);
  if (middle - at - 3 !== 22 || text.charAt(middle) !== '.') return false;
  return endOfRun(text, middle + 1, word) - middle - 1 === 43 && isRandom(text.slice(at + 3, middle));
}
