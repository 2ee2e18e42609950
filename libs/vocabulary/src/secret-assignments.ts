import { characterClass, endOfRun, isOfClass, isRandom } from './secret-forms.ts';
import {
  fewestCharacters,
  isPasswordInUrl,
  isSecretName,
  isSecretValue,
  mayEndSecretName,
} from './secret-values.ts';

const word = characterClass.alphanumeric | characterClass.dash;
const colon = 0x3a;
const wideColon = 0xff1a;
const equalsSign = 0x3d;
/** The edge of a cell of a table. */
const pipe = 0x7c;

/** Whether a character may stand between a name and its value. */
export function isSign(code: number): boolean {
  return code === colon || code === equalsSign || code === pipe || code === wideColon;
}

/** The kind of a secret that a name is given. */
export const assignment = 'a secret in an assignment';

/** Reads what stands at a sign: an address with a password, a token of Telegram, or a secret that a name is given. */
export function signAt(text: string, at: number): { kind?: string; value?: string; end: number } {
  if (text.startsWith('://', at)) return addressAt(text, at + 3);
  if (text.startsWith(':AA', at) && isTelegram(text, at)) return { kind: 'a Telegram token', end: at + 1 };
  const { name, start } = nameBefore(text, at);
  const isCell = text.charCodeAt(at) === pipe;
  if (name === '') return { end: at + 1 };
  const { value, end } = valueBehind(text, at + 1);
  // What costs little is asked first.
  if (value.length < fewestCharacters || !isSecretName(name)) return { end: at + 1 };
  if (isCell ? !beginsCell(text, start) : isInArn(text, start)) return { end: at + 1 };
  // Addresses of badges have short tokens that are no secrets.
  const isInQuery = start > 0 && '?&'.includes(text.charAt(start - 1));
  if (isInQuery && value.length < fewestCharactersInQuery) return { end: at + 1 };
  // Only what was judged is skipped, so that the forms of what is in it are still looked for.
  return isSecretValue(value) ? { kind: assignment, value, end } : { end: at + 1 };
}

/** `123456789:AA` and 33 more characters. */
function isTelegram(text: string, sign: number): boolean {
  const end = endOfRun(text, sign + 1, word);
  if (end - sign - 1 !== 35) return false;
  return /\d{8,10}$/.test(text.slice(Math.max(0, sign - 10), sign)) && isRandom(text.slice(sign + 3, end));
}

/** Whether a name that begins here is all that its cell of a table has. */
function beginsCell(text: string, nameStart: number): boolean {
  let at = nameStart;
  const least = Math.max(0, nameStart - maxBlanks);
  while (at > least && closesName.includes(text.charAt(at - 1))) at -= 1;
  return text.charCodeAt(at - 1) === pipe;
}

const maxArnCharacters = 128;

/** Whether a name is a part of an Amazon resource name: `arn:aws:secretsmanager:eu-central-1:1234:secret:…`. */
function isInArn(text: string, nameStart: number): boolean {
  if (text.charAt(nameStart - 1) !== ':') return false;
  const before = text.slice(Math.max(0, nameStart - maxArnCharacters), nameStart);
  return /(?:^|[^\w-])arn:[\w:/.-]*$/.test(before);
}

const passwordFlag = /^--[\w-]*(?:password|passwd|passphrase)$/i;

/** Reads the value behind a flag of a command: `--password x`, and the password in `-u name:x`. */
export function flagAt(
  text: string,
  from: number,
  flagEnd: number,
): { value: string; end: number } | undefined {
  if (text.charAt(flagEnd) !== ' ' || flagEnd - from > maxNameCharacters) return undefined;
  const flag = text.slice(from, flagEnd);
  let valueFrom = flagEnd;
  if (flag === '-u' || flag === '--user') {
    const nameFrom = flagEnd + ('"\''.includes(text.charAt(flagEnd + 1)) ? 2 : 1);
    const nameEnd = endOfRun(text, nameFrom, word, nameFrom + maxNameCharacters);
    if (nameEnd === nameFrom || text.charAt(nameEnd) !== ':') return undefined;
    valueFrom = nameEnd + 1;
  } else if (!passwordFlag.test(flag)) return undefined;
  const behind = valueBehind(text, valueFrom);
  return isSecretValue(behind.value) ? behind : undefined;
}

const endsOfAuthority = ' \t\r\n/?#"\'`<>|,;()\\';
const maxAuthorityCharacters = 300;

const slackHooks = 'hooks.slack.com/services/';

function addressAt(text: string, from: number): { kind?: string; end: number } {
  if (text.startsWith(slackHooks, from)) {
    const path = text.slice(from + slackHooks.length, from + maxAuthorityCharacters);
    const [, body] = /^T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/([A-Za-z0-9]{24})(?![\w-])/.exec(path) ?? [];
    if (body !== undefined && isRandom(body)) return { kind: 'the address of a Slack webhook', end: from };
  }
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
const closesName = '"\'`*] \t\u00a0';

function nameBefore(text: string, sign: number): { name: string; start: number } {
  let end = sign;
  // Cells of a table are filled up with blanks.
  const isCell = text.charCodeAt(sign) === pipe;
  const least = Math.max(0, sign - (isCell ? maxNameCharacters : maxBlanks));
  while (end > least && closesName.includes(text.charAt(end - 1))) end -= 1;
  const first = Math.max(0, end - maxNameCharacters);
  if (!mayEndSecretName(text, first, end)) return { name: '', start: end };
  let start = end;
  while (
    start > first &&
    (isOfClass(text.charCodeAt(start - 1), word) || ' .'.includes(text.charAt(start - 1)))
  )
    start -= 1;
  return { name: text.slice(start, end), start };
}

const quotes = '"\'`';
const beforeValue = ' \t\u00a0*=>:';
const maxBeforeValue = 8;
/** How far into the next line a value may begin. */
const maxIndent = 40;
const maxValueCharacters = 256;
/** A colon or an equals sign begins the next value, so that no text is read twice. */
const endsOfBareValue = ' \t\u00a0\r\n"\'`,;<>|&)=:';
const schemes = ['Bearer ', 'bearer ', 'Basic ', 'Token ', 'token '];

/** Reads the value behind a sign: between quotes, which may begin on the next line, or up to a blank. */
function valueBehind(text: string, from: number): { value: string; end: number } {
  let start = from;
  while (start < from + maxBeforeValue && beforeValue.includes(text.charAt(start)) && start < text.length)
    start += 1;
  if ('\r\n'.includes(text.charAt(start))) start = quoteOnNextLine(text, start) ?? start;
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

function quoteOnNextLine(text: string, from: number): number | undefined {
  let at = from;
  while (at < from + maxIndent && ' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) !== '' && '"\''.includes(text.charAt(at)) ? at : undefined;
}
