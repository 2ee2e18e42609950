import { crc32 } from 'node:zlib';

/** Classes of characters, as bits. */
export const characterClass = { alphanumeric: 1, dash: 2, hex: 4, capital: 8, base64: 16 } as const;
const { alphanumeric, dash, hex, capital, base64 } = characterClass;
const word = alphanumeric | dash;

const classes = new Uint8Array(128);
const addToClass = (characters: string, bits: number) => {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    classes[code] = (classes[code] ?? 0) | bits;
  }
};
const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
addToClass(digits, alphanumeric | hex | base64 | capital);
addToClass(letters, alphanumeric | base64);
addToClass('abcdef', hex);
addToClass(letters.toUpperCase(), alphanumeric | base64 | capital);
addToClass('_-', dash);
addToClass('+/=', base64);

/** Whether a UTF-16 unit is in one of the classes. */
export function isOfClass(code: number, wanted: number): boolean {
  return ((classes[code] ?? 0) & wanted) !== 0;
}

/** Returns where the run of characters of these classes that begins at `from` ends; it is never sought beyond `limit`. */
export function endOfRun(text: string, from: number, wanted: number, limit = text.length): number {
  let at = from;
  while (at < limit && isOfClass(text.charCodeAt(at), wanted)) at += 1;
  return at;
}

/** What credentials of one kind look like. */
export interface SecretForm {
  prefix: string;
  /** In words, with its article. */
  kind: string;
  /** Characters behind the prefix: their classes, and how many may follow without a break. */
  body: number;
  least: number;
  most: number;
  /** Whether a text of this form is one; absent: unless it is a placeholder. */
  isReal?: (body: string) => boolean;
}

/** The longest body of a form that does not say how long it is. */
const longest = 400;

function form(
  prefixes: string,
  kind: string,
  body: number,
  [least, most = least]: readonly [number, number?],
  isReal?: SecretForm['isReal'],
): SecretForm[] {
  return prefixes.split(' ').map((prefix) => ({
    prefix,
    kind,
    body,
    least,
    most,
    ...(isReal && { isReal }),
  }));
}

/** Prefixes, alphabets and lengths as the issuers document them. What `tms` issues itself is found without this list. */
export const secretForms: readonly SecretForm[] = [
  ...form('AKIA ASIA ABIA ACCA', 'an AWS access key', capital, [16], isAwsKey),
  ...form('ghp_ gho_ ghu_ ghs_ ghr_', 'a GitHub token', alphanumeric, [36], hasChecksum),
  ...form('github_pat_', 'a GitHub token', word, [82]),
  ...form('glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glffct-', 'a GitLab token', word, [
    20,
    longest,
  ]),
  ...form('xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-', 'a Slack token', word, [24, longest]),
  ...form('sk_live_ rk_live_ sk_test_ rk_test_', 'a Stripe key', alphanumeric, [16, longest]),
  ...form('sk-ant-', 'an Anthropic key', word, [32, longest]),
  ...form('sk-proj- sk-svcacct- sk-admin-', 'an OpenAI key', word, [40, longest]),
  ...form('sk-', 'an OpenAI key', word, [40, longest], (body) => body.includes('T3BlbkFJ')),
  ...form('AIza', 'a Google API key', word, [35]),
  ...form('GOCSPX-', 'a Google client secret', word, [28]),
  ...form('ya29.', 'a Google access token', word, [40, longest]),
  ...form('npm_', 'an npm token', alphanumeric, [36], hasChecksum),
  ...form('pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw', 'a PyPI token', word, [50, longest]),
  ...form('hf_', 'a Hugging Face token', alphanumeric, [34]),
  ...form('gsk_', 'a Groq key', alphanumeric, [52]),
  ...form('xai-', 'an xAI key', alphanumeric, [80]),
  ...form('pplx-', 'a Perplexity key', alphanumeric, [48]),
  ...form('r8_', 'a Replicate token', alphanumeric, [37]),
  ...form('dop_v1_ doo_v1_ dor_v1_', 'a DigitalOcean token', hex, [64]),
  ...form('shpat_ shpca_ shppa_ shpss_', 'a Shopify token', alphanumeric, [32]),
  ...form('sq0atp- sq0csp-', 'a Square token', word, [22, 43]),
  ...form('dapi', 'a Databricks token', hex, [32]),
  ...form('dckr_pat_', 'a Docker token', word, [27]),
  ...form('hvs. hvb.', 'a Vault token', word, [24, longest]),
  ...form('lin_api_', 'a Linear key', alphanumeric, [40]),
  ...form('ntn_', 'a Notion token', alphanumeric, [46]),
  ...form('glsa_', 'a Grafana token', word, [41]),
  ...form('NRAK-', 'a New Relic key', alphanumeric, [27]),
  ...form('PMAK-', 'a Postman key', word, [59]),
  ...form('AGE-SECRET-KEY-1', 'an age key', capital, [58]),
  ...form('sntrys_', 'a Sentry token', word, [40, longest]),
  ...form('sntryu_', 'a Sentry token', hex, [64]),
  ...form('dp.pt. dp.st. dp.sa.', 'a Doppler token', word, [40, 60]),
  ...form('pul-', 'a Pulumi token', hex, [40]),
  ...form('rubygems_', 'a RubyGems key', hex, [48]),
  ...form('figd_', 'a Figma token', word, [40, longest]),
  ...form('ATATT3 ATCTT3', 'an Atlassian token', word, [150, longest]),
  ...form('sbp_', 'a Supabase token', hex, [40]),
  ...form('tskey-', 'a Tailscale key', word, [24, longest]),
  ...form('pscale_tkn_ pscale_pw_', 'a PlanetScale token', word, [32, 64]),
  ...form('SK', 'a Twilio key', hex, [32]),
  ...form('key-', 'a Mailgun key', hex, [32]),
  ...form('whsec_', 'the secret of a webhook', base64, [32, longest]),
];

/** Examples in the documentation of AWS end in this word. */
function isAwsKey(body: string): boolean {
  return !body.endsWith('EXAMPLE') && !isPlaceholder(body) && entropyOf(body) > 2.5;
}

const base62Digits = `${digits}${letters.toUpperCase()}${letters}`;
const checksumCharacters = 6;

/** GitHub and npm end a token with the CRC-32 of its random part in six digits of base 62. */
function hasChecksum(body: string): boolean {
  return base62Checksum(body.slice(0, -checksumCharacters)) === body.slice(-checksumCharacters);
}

function base62Checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let digit = 0; digit < checksumCharacters; digit += 1) {
    written = base62Digits.charAt(rest % 62) + written;
    rest = Math.floor(rest / 62);
  }
  return written;
}

/** The letters between `tms` and the underscore of our own credentials: a key of a member has none. */
const ownLetters = 'slnoi';
const ownIdCharacters = 16;
const ownSecretCharacters = 43;

/** Returns where a credential of this service ends whose `tms` begins at `from`; undefined where there is none. Its checksum is that of all before it. */
export function endOfOwnCredential(text: string, from: number): number | undefined {
  let at = from + 'tms'.length;
  if (ownLetters.includes(text.charAt(at))) at += 1;
  if (text.charAt(at) !== '_') return undefined;
  const idEnd = endOfRun(text, at + 1, alphanumeric, at + 2 + ownIdCharacters);
  if (idEnd !== at + 1 + ownIdCharacters || text.charAt(idEnd) !== '_') return undefined;
  const end = endOfRun(text, idEnd + 1, alphanumeric, Math.min(text.length, idEnd + 1 + ownSecretCharacters));
  if (end !== idEnd + 1 + ownSecretCharacters) return undefined;
  const body = text.slice(from, end - checksumCharacters);
  return base62Checksum(body) === text.slice(end - checksumCharacters, end) ? end : undefined;
}

/** Parts of texts that stand for a credential in documentation. */
const placeholderParts = [
  'xxxx',
  '....',
  '****',
  '0000',
  '1234567',
  'abcdef',
  'your',
  'example',
  'placeholder',
  'changeme',
  'redacted',
  'dummy',
  'sample',
  'insert',
  'replace',
  'goeshere',
];

/** Whether a text stands for a credential rather than being one. */
export function isPlaceholder(text: string): boolean {
  const small = text.toLowerCase().replaceAll('-', '').replaceAll('_', '');
  return placeholderParts.some((part) => small.includes(part));
}

/** How often each character occurs; all zero but for the time of one call. */
const counts = new Uint16Array(129);

/** Shannon's entropy of a text of at most 65,535 characters, in bits a character; all characters beyond ASCII count as one. */
export function entropyOf(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = Math.min(text.charCodeAt(at), 128);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = Math.min(text.charCodeAt(at), 128);
    const count = counts[code] ?? 0;
    if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
    counts[code] = 0;
  }
  return bits;
}

const fewestBits = 3;

/** Whether a text is too random for a placeholder or a word. */
export function isRandom(text: string): boolean {
  return !isPlaceholder(text) && entropyOf(text) > fewestBits;
}
