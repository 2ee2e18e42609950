import { entropyOf, isPlaceholder } from './secret-forms.ts';

/** What the name of a member ends with whose value is a secret, without signs between its words. */
const secretNames = [
  'password',
  'passwd',
  'passphrase',
  'passwort',
  'kennwort',
  'pwd',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'accountkey',
  'authkey',
  'encryptionkey',
  'masterkey',
  'privatekey',
  'secretkey',
  'secretkeybase',
  'signingkey',
  'authorization',
];

/** What names of public values end with: where a list goes on, and the name of a secret of Kubernetes. */
const publicNames = [
  'nexttoken',
  'pagetoken',
  'forwardtoken',
  'backwardtoken',
  'continuationtoken',
  'imagepullsecret',
];

/** By the last two letters of a name, both small and ASCII, whether it may be that of a secret: most are told apart so. */
const mayEnd = new Uint8Array(128 * 128);
for (const name of [...secretNames, 'pass']) {
  mayEnd[name.charCodeAt(name.length - 2) * 128 + name.charCodeAt(name.length - 1)] = 1;
}

/** Whether the name that ends at `end` may be that of a secret, by its last letters; none is sought before `first`. */
export function mayEndSecretName(text: string, first: number, end: number): boolean {
  const last = lastLetter(text, first, end);
  const letter = text.charCodeAt(last) | 0x20;
  if (!(letter < 128)) return false;
  const before = text.charCodeAt(lastLetter(text, first, last)) | 0x20;
  return before < 128 && mayEnd[before * 128 + letter] === 1;
}

/** Returns where the last letter before `end` is that is no sign between words, or `first` - 1. */
function lastLetter(text: string, first: number, end: number): number {
  let at = end - 1;
  for (; at >= first; at -= 1) {
    const code = text.charCodeAt(at);
    if (code !== underscore && code !== dash && code !== point && code !== blank) break;
  }
  return at;
}

const underscore = 0x5f;
const dash = 0x2d;
const point = 0x2e;
const blank = 0x20;

/** Whether a member of this name holds a secret: `DB_PASSWORD`, `API key`, `client.secret`. */
export function isSecretName(name: string): boolean {
  if (!mayEndSecretName(name, 0, name.length)) return false;
  const joined = name.toLowerCase().replace(/[_. -]/g, '');
  if (joined.endsWith('ss')) return passName.test(name);
  if (publicNames.some((one) => joined.endsWith(one))) return false;
  return secretNames.some((one) => joined.endsWith(one));
}

/** `DB_PASS`, and no `bypass`. */
const passName = /(?:^|[ _-])pass$/i;

/** Shorter values are no secrets. */
export const fewestCharacters = 8;
/** From this length on two kinds of characters suffice. */
const longCharacters = 16;
/** Random texts of 8 characters have nearly this many bits a character, random ones of hex digits more than the second. */
const fewestBits = 2.7;
const fewestBitsOfLong = 3.2;

/** Whether the value of a member with such a name is a credential: random to look at, and no name, path, version or placeholder. */
export function isSecretValue(value: string): boolean {
  if (value.length < fewestCharacters) return false;
  // What costs little tells most values apart.
  const { letter, digit, kinds } = kindsOf(value);
  const isLong = value.length >= longCharacters;
  if (!letter || (isLong ? !digit : kinds < 3)) return false;
  if (entropyOf(value) < (isLong ? fewestBitsOfLong : fewestBits)) return false;
  if (isLong ? isMadeOfWords(value) : lettersInWords(value) > 0 && !isRandomBesideWords(value)) return false;
  return !isPlaceholder(value) && !isReference(value);
}

/** Words that stand where a password would, whatever digits and signs are added. */
const commonPasswords = new Set(
  'pass passw passwd passwrd password pswd pwd pw secret sscret scret mysecret mypassword mypass authpassword test testing tst admin root user username guest foo bar foobar token credentials changeit letmein qwerty abc key psswrd psswd'.split(
    ' ',
  ),
);
const fewestCharactersInUrl = 6;
/** Hosts of examples. */
const exampleHosts = ['localhost', '127.0.0.1', '0.0.0.0', '[', 'host', 'hostname', 'server', 'example'];
/** Usual names of services in a compose file, which nobody reaches from elsewhere. */
const composeHosts = 'db database postgres postgresql mysql mariadb redis mongo mongodb rabbitmq'.split(' ');

/** Whether the password of an address is a credential, rather than one of an example or of a development machine. */
export function isPasswordInUrl(user: string, password: string, host: string): boolean {
  if (password.length < fewestCharactersInUrl || isPlaceholder(password) || isReference(password))
    return false;
  if (password.toLowerCase() === user.toLowerCase()) return false;
  if (kindsOf(password).kinds < 2) return false;
  if (commonPasswords.has(lettersOf(password))) return false;
  const name = host.toLowerCase();
  return (
    ![...exampleHosts, ...composeHosts].some(
      (example) => name === example || name.startsWith(`${example}:`),
    ) && !isExampleHost(name)
  );
}

function isExampleHost(host: string): boolean {
  return host.startsWith('[') || host.split(':')[0]?.split('.').includes('example') === true;
}

function lettersOf(text: string): string {
  return [...text.toLowerCase()].filter((character) => character >= 'a' && character <= 'z').join('');
}

/** Which characters a text has; small letters, capitals, digits and signs are kinds of them. */
function kindsOf(text: string): { letter: boolean; digit: boolean; kinds: number } {
  let [small, capital, digit, sign] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x61 && code <= 0x7a) small = 1;
    else if (code >= 0x41 && code <= 0x5a) capital = 1;
    else if (code >= 0x30 && code <= 0x39) digit = 1;
    else sign = 1;
  }
  return { letter: small + capital > 0, digit: digit > 0, kinds: small + capital + digit + sign };
}

/** What stands in code where a value comes from elsewhere, and what is a path, a version, a checksum or an id. */
function isReference(value: string): boolean {
  if ('$%@/.~^#&!:>='.includes(value.charAt(0))) return true;
  if (/[\s(){}[\]<>\\]/.test(value) || value.includes('://') || value.includes('...')) return true;
  if (/^v?\d+\.\d/.test(value) || /^\d{4}-\d\d/.test(value) || /^sha\d/i.test(value)) return true;
  // An Amazon resource name, an address of a block chain.
  if (value.startsWith('arn:') || /^0x[0-9a-fA-F]{40}$/.test(value)) return true;
  return isUuid(value) || isDotted(value) || isConstant(value);
}

/** `T_STRING_LITERAL_3`: words in capitals and short numbers with underscores between them. */
function isConstant(value: string): boolean {
  return /^[A-Z]+(?:_(?:[A-Z]+|\d{1,4}))+$/.test(value);
}

function isUuid(value: string): boolean {
  return /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/.test(value);
}

/** `process.env.API_KEY_2`: names with points between them. */
function isDotted(value: string): boolean {
  const names = value.split('.');
  return names.length > 1 && names.every((name) => /^[A-Za-z_]\w{0,30}$/.test(name) && isMadeOfWords(name));
}

const vowels = 'aeiouyAEIOUY';
const fewestLettersOfWord = 4;
const mostConsonantsOfWord = 4;

/** Whether most of a text is words. */
function isMadeOfWords(text: string): boolean {
  return lettersInWords(text) * 2 >= text.length;
}

/** Characters that no word explains; fewer are the digits and signs that people put behind a word. */
const fewestBesideWords = 6;

/** Whether a short text has what is no word, beside one: `hunter2Xq9!vb7`. */
function isRandomBesideWords(text: string): boolean {
  return kindsOf(text).kinds === 4 && text.length - lettersInWords(text) >= fewestBesideWords;
}

/** Counts the letters of words: letters of one case with vowels among them. A capital may begin one. */
function lettersInWords(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfWord(text, at);
    if (isPronounceable(text.slice(at, end))) count += end - at;
    at = Math.max(end, at + 1);
  }
  return count;
}

function endOfWord(text: string, from: number): number {
  if (isSmall(text, from) || isSmall(text, from + 1)) {
    if (!isSmall(text, from) && !isCapital(text, from)) return from;
    let at = from + 1;
    while (isSmall(text, at)) at += 1;
    return at;
  }
  let at = from;
  while (isCapital(text, at)) at += 1;
  return at;
}

function isSmall(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x61 && code <= 0x7a;
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a;
}

function isPronounceable(word: string): boolean {
  if (word.length < fewestLettersOfWord) return false;
  let consonants = 0;
  let found = 0;
  for (const letter of word) {
    if (vowels.includes(letter)) {
      consonants = 0;
      found += 1;
    } else {
      consonants += 1;
      if (consonants > mostConsonantsOfWord) return false;
    }
  }
  return found * 5 >= word.length;
}
