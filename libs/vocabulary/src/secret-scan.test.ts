import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { growthOf } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { allowsSecrets, describeSecrets, findSecrets, hasNoFurtherSecret } from './secret-scan.ts';

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
  ['a secret in an assignment', `password = "hunter2Xq9!vb7"`],
  ['a secret in an assignment', `AWS_SECRET_ACCESS_KEY=${random(38)}/+`],
  ['a secret in an assignment', `"client_secret": "${random(32, hex)}"`],
  ['a secret in an assignment', `**API key:** \`${random(32)}\``],
  ['a secret in an assignment', `Authorization: Bearer ${random(40)}`],
  ['a secret in an assignment', `https://api.acme.com/v1?token=${random(32)}`],
  ['a secret in an assignment', `Passwort: ${random(16)}`],
  ['a secret in an assignment', `Kennwort\uff1a${random(16)}`],
  ['a secret in an assignment', `password:\u00a0${random(16)}\u00a0is new`],
  ['a secret in an assignment', `"password":\n  "${random(16)}"`],
  ['a secret in an assignment', `mysqldump --password ${random(16)} app`],
  ['a secret in an assignment', `curl -u "admin:${random(16)}" https://acme.com`],
  ['a secret in an assignment', `curl --user admin:${random(16)} https://acme.com`],
  [
    'the address of a Slack webhook',
    `https://hooks.slack.com/services/T${random(9, hex).toUpperCase()}/B${random(9, hex).toUpperCase()}/${random(24)}`,
  ],
  ['a Telegram token', `https://api.telegram.org/bot${random(9, '123456789')}:AA${random(33)}/getMe`],
];

test.each(credentials)(
  '%s is found by its line, in the middle of a note and at its very end',
  (kind, text) => {
    const placesIn = (note: string) => findSecrets(note).map(({ line, kind }) => ({ line, kind }));
    expect(placesIn(`# Deploying\n\nUse ${text}`)).toEqual([{ line: 3, kind }]);
    expect(placesIn(`${text}\n\nis what we use`)).toEqual([{ line: 1, kind }]);
    expect(placesIn(`\r\n> - ${text}\r\n`)).toEqual([{ line: 2, kind }]);
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
  ['a word with a digit and a sign', 'password: MyPassword1!'],
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
  ['a resource of Amazon', 'arn:aws:secretsmanager:eu-central-1:1234:secret:prod/rivers/db-a1B2c3 is read'],
  ['a resource of Amazon as a value', `"encryptionKey": "arn:aws:kms:us-west-2:1234:key/${random(20)}"`],
  ['an address of a block chain', `USDC token: 0x${random(40, hex)}`],
  ['where a list goes on', `"NextToken": "${random(40)}", "nextPageToken": "${random(40)}"`],
  ['where a log goes on', `nextForwardToken=${random(40)} nextBackwardToken=${random(40)}`],
  ['where a listing goes on', `ContinuationToken: ${random(40)}`],
  ['the name of a secret of Kubernetes', 'imagePullSecret: regcred-eu1-2024'],
  ['a constant', 'token=T_STRING_LITERAL_3'],
  ['a service of a compose file', 'postgres://rivers:rivers_dev1@db:5432/rivers'],
  ['a queue of a compose file', 'amqp://rabbit:rabbit123@rabbitmq:5672'],
  ['the head of a table', '| Password | Since |\n|---|---|\n| in the vault | 2026-11-27T10 |'],
  ['two commands', `cat password | ${random(16)}`],
  ['a user and a group', 'docker run -u 1000:1000 app'],
  ['an example of a Slack webhook', `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`],
])('%s is no credential', (_, text) => {
  expect(findSecrets(`Before\n${text}\nafter`)).toEqual([]);
});

test.each([`| DB_PASSWORD | \`${random(16)}\` |`, `|\`api_key\`          |${random(16)}|`])(
  'a row of a table that gives a name its secret is found: %#',
  (row) => {
    expect(findSecrets(`| Name | Value |\n|---|---|\n${row}\n`)).toMatchObject([{ line: 3 }]);
  },
);

test('a text has no further secret only if each of its secrets, kind and value, is in the text before', () => {
  const [first, second] = [own('tms', 'first'), own('tms', 'second')];
  const [hidden, other] = [`password: ${random(16)}`, `password: ${random(16, base62, 'c')}`];
  const before = findSecrets(`${first}\n${hidden}\n${pem('OPENSSH PRIVATE KEY')}`);
  const isKnown = (text: string) => hasNoFurtherSecret(findSecrets(text), before);
  const known = ['no secret', `# New\n${hidden}`, `${first} ${first}`, `x ${pem('OPENSSH PRIVATE KEY')}`];
  const further = [
    second,
    `${first} ${second}`,
    `${hidden}\n${other}`,
    pem('OPENSSH PRIVATE KEY').replace(random(64, base62, 'b'), random(64, base62, 'c')),
    // Behind these more may stand, which is not looked for.
    `${`${first} `.repeat(120)}${second}`,
    `${first} `.repeat(120),
  ];
  expect(known.map(isKnown)).toEqual(known.map(() => true));
  expect(further.map(isKnown)).toEqual(further.map(() => false));
});

test('of many findings the first hundred are returned, and the first three are told without their values', () => {
  const lines = Array.from({ length: 130 }, (_, number) => own('tms', `n${number}`));
  const found = findSecrets(lines.join('\n'));
  expect(found.map(({ line }) => line)).toEqual(lines.slice(0, 100).map((_, index) => index + 1));
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
  `a|=|:|://|://a:b@|token=|token="|token='|password: |eyJ.|eyJhbGciOiJIUzI1NiJ9.|SG.|ghp_|tms_|tmsa_|AKIA|%|\\n|-----BEGIN PRIVATE KEY-----|PRIVATE KEY|_|-|sk-|token=Ab1.|token: a1B!x%q9|--password a1|-u a:b|:AA|password:\n |password_|:secret:|"*] \t|a.|\n|\u{1f600}|whsec_|aB1-`.split(
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
