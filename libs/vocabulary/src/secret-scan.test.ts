import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { growthOf } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { allowsSecrets, describeSecrets, findSecrets } from './secret-scan.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters that look random and are the same in each run; made here, so that no credential stands in the repository. */
function random(length: number, alphabet = base62, seed = 'a'): string {
  let text = '';
  for (let block = 0; text.length < length; block += 1) {
    for (const byte of createHash('sha512').update(`${seed}${block}`).digest()) {
      text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text.slice(0, length);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < 6; digit += 1) {
    text = base62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const own = (prefix: string, seed = prefix) => {
  const body = `${prefix}_${random(16, base62, `${seed}id`)}_${random(37, base62, seed)}`;
  return body + checksum(body);
};
const checked = (prefix: string) => `${prefix}${random(30)}${checksum(random(30))}`;
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object, header: object = { alg: 'HS256', typ: 'JWT' }) =>
  `${base64(header)}.${base64(claims)}.${random(43)}`;
const pem = (label: string) =>
  `-----BEGIN ${label}-----\n${random(64)}\n${random(64, base62, 'b')}\n-----END ${label}-----`;
const hex = '0123456789abcdef';

const credentials: [kind: string, text: string][] = [
  ['an AWS access key', `AKIA${random(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['a GitHub token', checked('ghp_')],
  ['a GitHub token', checked('ghs_')],
  ['a GitHub token', `github_pat_${random(22)}_${random(59)}`],
  ['a GitLab token', `glpat-${random(20)}`],
  ['a Slack token', `xoxb-${random(12, '0123456789')}-${random(24)}`],
  ['a Stripe key', `sk_live_${random(24)}`],
  ['an OpenAI key', `sk-proj-${random(60)}T3BlbkFJ${random(40)}`],
  ['an OpenAI key', `sk-${random(20)}T3BlbkFJ${random(20, base62, 'c')}`],
  ['an Anthropic key', `sk-ant-api03-${random(93)}AA`],
  ['a Google API key', `AIza${random(35)}`],
  ['an npm token', checked('npm_')],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${random(80)}`],
  ['a SendGrid key', `SG.${random(22)}.${random(43)}`],
  ['a DigitalOcean token', `dop_v1_${random(64, hex)}`],
  ['a Twilio key', `SK${random(32, hex)}`],
  ['the secret of a webhook', `whsec_${random(32)}`],
  ['a private key', pem('PRIVATE KEY')],
  ['a private key', pem('OPENSSH PRIVATE KEY')],
  ['a private key', pem('RSA PRIVATE KEY').replaceAll('\n', '\\n')],
  ['a private key', pem('PGP PRIVATE KEY BLOCK')],
  ['a JSON web token', jwt({ sub: 'ada', exp: 1_900_000_000 })],
  ['an address with a password', `postgres://app:${random(12)}@db.internal:5432/app`],
  ['an address with a password', 'mongodb+srv://root:hunter2@cluster0.acme.mongodb.net'],
  ['an address with a password', `redis://:${random(20)}@cache.internal:6379`],
  ['a secret in an assignment', `password = "${random(16)}"`],
  ['a secret in an assignment', `password: xK9!mq2#Vd`],
  ['a secret in an assignment', `AWS_SECRET_ACCESS_KEY=${random(38)}/+`],
  ['a secret in an assignment', `"client_secret": "${random(32, hex)}"`],
  ['a secret in an assignment', `**API key:** \`${random(32)}\``],
  ['a secret in an assignment', `Authorization: Bearer ${random(40)}`],
  ['a secret in an assignment', `https://api.acme.com/v1?token=${random(32)}`],
];

test.each(credentials)(
  '%s is found by its line, in the middle of a note and at its very end',
  (kind, text) => {
    expect(findSecrets(`# Deploying\n\nUse ${text}`)).toEqual([{ line: 3, kind }]);
    expect(findSecrets(`${text}\n\nis what we use`)).toEqual([{ line: 1, kind }]);
    expect(findSecrets(`\r\n> - ${text}\r\n`)).toEqual([{ line: 2, kind }]);
  },
);

test.each(['tms', 'tmss', 'tmsl', 'tmsn', 'tmso', 'tmsi'])(
  'each credential of this service that begins with %s is found, whatever stands around it',
  (prefix) => {
    const missed = Array.from({ length: 300 }, (_, number) => own(prefix, `${prefix}${number}`)).filter(
      (key) =>
        [key, `x${key}`, `_${key}_`, `key=${key}&`, `"${key}"`, `\\n${key}`, `%20${key}`, `é${key}é`].some(
          (text) => findSecrets(text).length === 0,
        ),
    );
    expect(missed).toEqual([]);
  },
);

test.each([
  ['an example of AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['a token of GitHub with a wrong checksum', `ghp_${random(36)}`],
  ['a key of ours with a wrong checksum', `${own('tms').slice(0, -1)}_`],
  ['a placeholder', 'password = "your-password-here-1"'],
  ['crosses', `API_KEY=${'x'.repeat(32)}`],
  ['a word', 'password: correcthorse'],
  ['a reference', 'token: process.env.API_TOKEN_2'],
  ['a template', `password: ${'$'}{DB_PASSWORD_2}`],
  ['a version', '"jsonwebtoken": "^9.0.2-beta.1"'],
  ['an id', 'token: 0198f2c4-7a5d-7c1b-9f2e-3a4b5c6d7e8f'],
  ['a checksum', `secret: sha256:${random(64, hex)}`],
  ['a path', 'private_key: /etc/ssl/Private2/key.pem'],
  ['a call', 'const token = jwt.sign({ id: 12 }, key2)'],
  ['a note about a person', 'Secret: Ada2 meets Bo in room 14B'],
  ['the label of a private key', '-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----'],
  ['a public key', pem('PUBLIC KEY')],
  ['a certificate', pem('CERTIFICATE')],
  ['a JSON web token without claims of a service', jwt({ some: 'payload' })],
  ['base64 with points', `${base64({ a: 1 })}.${base64({ sub: 'x' })}.${random(43)}`],
  ['an address of an example', 'postgres://user:pass123@localhost:5432/app'],
  ['an address with a name only', 'https://git@github.com/acme/app.git'],
  ['an address with a port', 'https://acme.com:8443/a@b'],
  ['a badge', '[![x](https://codecov.io/a.svg?token=Ab3dE5gH1j)](https://codecov.io)'],
  ['a hash', `commit ${random(40, hex)}`],
])('%s is no credential', (_, text) => {
  expect(findSecrets(`Before\n${text}\nafter`)).toEqual([]);
});

test('of many findings the first ten are returned, and the first three are told without their values', () => {
  const lines = Array.from({ length: 30 }, (_, number) => own('tms', `n${number}`));
  const found = findSecrets(lines.join('\n'));
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(describeSecrets(found)).toBe(
    'line 1 has a credential of this service, line 2 has a credential of this service, line 3 has a credential of this service, there are more',
  );
});

test('front matter lets a text through by tms: allow-secret only', () => {
  const allowed: unknown[] = ['allow-secret', ['a', 'allow-secret']];
  const others: unknown[] = [
    undefined,
    null,
    true,
    '',
    'allow',
    { 'allow-secret': true },
    [['allow-secret']],
  ];
  expect(allowed.map((tms) => allowsSecrets({ tms }))).toEqual([true, true]);
  expect(others.filter((tms) => allowsSecrets({ tms }))).toEqual([]);
});

/** Pieces of what is looked for: a text of any of them must not hold up anybody. */
const pieces =
  `a|=|:|://|://a:b@|token=|token="|token='|password: |eyJ.|eyJhbGciOiJIUzI1NiJ9.|SG.|ghp_|tms_|tmsa_|AKIA|%|\\n|-----BEGIN PRIVATE KEY-----|PRIVATE KEY|_|-|sk-|token=Ab1.|token: a1B!x%q9|"*] \t|a.|\n|\u{1f600}|whsec_|aB1-`.split(
    '|',
  );

test('time is linear in the text, whatever it says', { timeout: 60_000 }, () => {
  const shapes = pieces.map((unit) => ({ opening: '', unit }));
  const { checked, slowestMs, tooFast } = growthOf(findSecrets, shapes, {
    characters: 128 * 1024,
    withinMs: 10_000,
  });
  console.log(`${checked} shapes, at most ${slowestMs.toFixed(1)} ms for 128 Ki characters`);
  expect(tooFast).toEqual([]);
  expect(checked).toBeGreaterThan(5);
});
