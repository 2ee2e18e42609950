import {
  characterClass,
  endOfOwnCredential,
  endOfRun,
  entropyOf,
  isOfClass,
  isPlaceholder,
  type SecretForm,
  secretForms,
} from './secret-forms.ts';
import { isPasswordInUrl, isSecretName, isSecretValue } from './secret-values.ts';

/** A credential in a text. What it is, and never its value. */
export interface FoundSecret {
  /** From 1. */
  line: number;
  /** In words, with an article: `a GitHub token`. */
  kind: string;
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
  const told = found.slice(0, maxTold).map(({ line, kind }) => `line ${line} has ${kind}`);
  return [...told, ...(found.length > maxTold ? ['there are more'] : [])].join(', ');
}

/** Findings of one text: who corrects these scans again. */
const maxFindings = 10;
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
 * texts that are assigned to a name such as `password`. Returns at most 10, in order; none for most texts. Time is linear
 * in the text, whatever it is. What is encoded, encrypted or split is not found.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: { at: number; kind: string }[] = [];
  findOwn(text, found);
  findPrivateKeys(text, found);
  for (let at = 0; at < text.length && found.length < maxFindings; ) {
    const code = text.charCodeAt(at);
    if (isOfClass(code, word)) {
      const end = endOfRun(text, at, word);
      const kind = kindIn(text, at);
      if (kind !== undefined) found.push({ at, kind });
      at = end;
    } else if (code === colon || code === equalsSign) {
      const { kind, end } = signAt(text, at);
      if (kind !== undefined) found.push({ at, kind });
      at = end;
    } else at += 1;
  }
  return withLines(text, found);
}

const colon = 0x3a;
const equalsSign = 0x3d;

/** Sorts findings and replaces positions by lines; a line tells each kind once. */
function withLines(text: string, found: { at: number; kind: string }[]): FoundSecret[] {
  found.sort((a, b) => a.at - b.at);
  const told = new Map<string, FoundSecret>();
  let line = 1;
  let counted = 0;
  for (const { at, kind } of found) {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
      line += 1;
      counted = end + 1;
    }
    told.getOrInsert(`${line} ${kind}`, { line, kind });
  }
  return [...told.values()].slice(0, maxFindings);
}

function findOwn(text: string, found: { at: number; kind: string }[]): void {
  for (let at = text.indexOf('tms'); at >= 0 && found.length < maxFindings; ) {
    const end = endOfOwnCredential(text, at);
    if (end !== undefined) found.push({ at, kind: 'a credential of this service' });
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
function findPrivateKeys(text: string, found: { at: number; kind: string }[]): void {
  for (let at = text.indexOf(keyLabel); at >= 0 && found.length < maxFindings; ) {
    let next = at + keyLabel.length;
    const start = Math.max(0, at - mostLabelCharacters);
    const begin = text.slice(start, at).lastIndexOf('-----BEGIN ');
    const labelEnd = labelEnds.find((end) => text.startsWith(end, next));
    if (begin >= 0 && labelEnd !== undefined) {
      next += labelEnd.length;
      const key = firstLongRun(text, next);
      if (key.isFound) found.push({ at: start + begin, kind: 'a private key' });
      next = key.end;
    }
    at = text.indexOf(keyLabel, next);
  }
}

/** Looks for base64 of a key, up to the line that ends it. */
function firstLongRun(text: string, from: number): { isFound: boolean; end: number } {
  const close = text.slice(from, from + searchedForKey).indexOf('-----');
  const limit = close < 0 ? Math.min(text.length, from + searchedForKey) : from + close;
  for (let at = from; at < limit; at += 1) {
    const end = endOfRun(text, at, characterClass.base64, limit);
    if (end - at >= fewestKeyCharacters) {
      const run = text.slice(at, end);
      if (!isPlaceholder(run) && entropyOf(run) > fewestKeyBits) return { isFound: true, end };
    }
    at = Math.max(at, end);
  }
  return { isFound: false, end: limit };
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

const fewestBits = 3;

function isRandom(body: string): boolean {
  return !isPlaceholder(body) && entropyOf(body) > fewestBits;
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

/** What is behind a colon or an equals sign: an address with a password, or a secret that a name is given. */
function signAt(text: string, at: number): { kind?: string; end: number } {
  if (text.startsWith('://', at)) return addressAt(text, at + 3);
  const { name, start } = nameBefore(text, at);
  if (name === '' || !isSecretName(name)) return { end: at + 1 };
  const { value, end } = valueBehind(text, at + 1);
  // Addresses of badges have short tokens that are no secrets.
  const isInQuery = start > 0 && '?&'.includes(text.charAt(start - 1));
  if (isInQuery && value.length < fewestCharactersInQuery) return { end: at + 1 };
  // Only what was judged is skipped, so that the forms of what is in it are still looked for.
  return isSecretValue(value) ? { kind: 'a secret in an assignment', end } : { end: at + 1 };
}

const endsOfAuthority = ' \t\r\n/?#"\'`<>|,;()\\';
const maxAuthorityCharacters = 300;

function addressAt(text: string, from: number): { kind?: string; end: number } {
  let passwordFrom = -1;
  let hostFrom = -1;
  let at = from;
  const limit = Math.min(text.length, from + maxAuthorityCharacters);
  for (; at < limit && !endsOfAuthority.includes(text.charAt(at)); at += 1) {
    const character = text.charAt(at);
    if (character === ':' && passwordFrom < 0) passwordFrom = at + 1;
    if (character === '@') hostFrom = at + 1;
  }
  if (passwordFrom < 0 || hostFrom <= passwordFrom) return { end: from };
  const user = text.slice(from, passwordFrom - 1);
  const password = text.slice(passwordFrom, hostFrom - 1);
  return isPasswordInUrl(user, password, text.slice(hostFrom, at))
    ? { kind: 'an address with a password', end: at }
    : { end: from };
}

const fewestCharactersInQuery = 16;
const maxNameCharacters = 48;
const maxBlanks = 4;
const closesName = '"\'`*] \t';

function nameBefore(text: string, sign: number): { name: string; start: number } {
  let end = sign;
  const least = Math.max(0, sign - maxBlanks);
  while (end > least && closesName.includes(text.charAt(end - 1))) end -= 1;
  let start = end;
  const first = Math.max(0, end - maxNameCharacters);
  while (
    start > first &&
    (isOfClass(text.charCodeAt(start - 1), word) || ' .'.includes(text.charAt(start - 1)))
  )
    start -= 1;
  return { name: text.slice(start, end), start };
}

const quotes = '"\'`';
const beforeValue = ' \t*=>:';
const maxBeforeValue = 8;
const maxValueCharacters = 256;
/** A colon or an equals sign begins the next value, so that no text is read twice. */
const endsOfBareValue = ' \t\r\n"\'`,;<>|&)=:';
const schemes = ['Bearer ', 'bearer ', 'Basic ', 'Token ', 'token '];

/** Reads the value behind a sign: between quotes, or up to a blank. */
function valueBehind(text: string, from: number): { value: string; end: number } {
  let start = from;
  while (start < from + maxBeforeValue && beforeValue.includes(text.charAt(start)) && start < text.length)
    start += 1;
  const quote = text.charAt(start);
  const isQuoted = quote !== '' && quotes.includes(quote);
  if (isQuoted) start += 1;
  start += schemes.find((scheme) => text.startsWith(scheme, start))?.length ?? 0;
  const ends = isQuoted ? `${quote}\r\n` : endsOfBareValue;
  const limit = Math.min(text.length, start + maxValueCharacters);
  let end = start;
  while (end < limit && !ends.includes(text.charAt(end))) end += 1;
  const value = text.slice(start, end);
  return { value: isQuoted || !value.endsWith('.') ? value : value.slice(0, -1), end };
}
