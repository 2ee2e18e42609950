import { maxContentBytes, maxFrontmatterBytes, maxFrontmatterLevels } from '@teammemory/vocabulary/limits.ts';
import { describe, expect, test } from 'vitest';
import { checksumOf, itemDraft } from './item.fixture.ts';
import { type CheckedItem, checkItem, type ItemDraft, isRefusal, itemJson } from './item.ts';

function accepted(changed: Partial<ItemDraft>): CheckedItem {
  const result = checkItem(itemDraft(changed));
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
}

function sized(bytes: number): string {
  return JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
}

describe('private content', () => {
  test.each(['admin', 'private', 'personal', 'ADMIN', 'Private', ' admin '])(
    'of tier %j is refused',
    (tier) => {
      expect(checkItem(itemDraft({ tier }))).toMatchObject({ code: 'admin_tier' });
    },
  );

  test('is found whatever the case of its name', () => {
    expect(checkItem(itemDraft({ frontmatterJson: '{"Audience":"private"}' }))).toMatchObject({
      code: 'admin_tier',
    });
  });

  test.each(['admin', 'private', 'personal', 'Personal', ' private '])(
    'of audience %j is refused',
    (audience) => {
      const frontmatterJson = JSON.stringify({ audience });
      expect(checkItem(itemDraft({ frontmatterJson }))).toMatchObject({ code: 'admin_tier' });
    },
  );

  test('is found in front matter as its author wrote it, also in one that is too long', () => {
    for (const frontmatterText of ['audience: private', `audience: private\n${'a: b\n'.repeat(10_000)}`]) {
      expect(checkItem(itemDraft({ frontmatterText }))).toMatchObject({ code: 'admin_tier' });
    }
  });

  test('is refused as such whatever else is wrong', () => {
    const wrong = { rowKey: '/', checksum: '', content: '\ud800', frontmatterJson: '[]' };
    expect(checkItem(itemDraft({ ...wrong, tier: 'private' }))).toMatchObject({ code: 'admin_tier' });
    const frontmatterJson = '{"audience":"private"}';
    expect(checkItem(itemDraft({ ...wrong, tier: 'none', frontmatterJson }))).toMatchObject({
      code: 'admin_tier',
    });
  });
});

test.each([
  ['client', 'external'],
  ['Company', 'external'],
  ['TEAM', 'team'],
  [' team ', 'team'],
  ['\tClient\n', 'external'],
])('tier %j is stored as %s', (tier, canonical) => {
  const item = accepted({ tier });
  expect(item.tier).toBe(canonical);
  expect(item.jsonHead).toContain(`"tier":"${canonical}"`);
});

test('checksums are stored in lower case', () => {
  const capitals = `sha256:${'A'.repeat(64)}`;
  expect(accepted({ checksum: capitals, baseChecksum: capitals })).toMatchObject({
    checksum: checksumOf('a'),
    baseChecksum: checksumOf('a'),
  });
});

test.each([
  ['largest content', { content: 'é'.repeat(maxContentBytes / 2) }],
  ['empty content', { content: '' }],
  ['largest front matter', { frontmatterJson: sized(maxFrontmatterBytes) }],
  ['longest front matter as text', { frontmatterText: 'é'.repeat(maxFrontmatterBytes / 2) }],
  ['deepest front matter', { frontmatterJson: nested(maxFrontmatterLevels) }],
])('the %s is accepted', (_, changed) => {
  expect(isRefusal(checkItem(itemDraft(changed)))).toBe(false);
});

test.each([
  ['row_key', { rowKey: 'a//b' }],
  ['content', { content: `${'é'.repeat(maxContentBytes / 2)}x` }],
  ['content', { content: 'half of a pair: \udc00' }],
  ['frontmatter', { frontmatterJson: sized(maxFrontmatterBytes + 1) }],
  ['frontmatter', { frontmatterJson: nested(maxFrontmatterLevels + 1) }],
  ['frontmatter', { frontmatterJson: `{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}` }],
  ['frontmatter', { frontmatterJson: '' }],
  ['frontmatter', { frontmatterJson: 'null' }],
  ['frontmatter', { frontmatterJson: '[]' }],
  ['frontmatter', { frontmatterJson: '"text"' }],
  ['frontmatter', { frontmatterJson: '{},"tier":"team"' }],
  ['frontmatter_text', { frontmatterText: `${'é'.repeat(maxFrontmatterBytes / 2)}x` }],
  ['frontmatter_text', { frontmatterText: 'half of a pair: \udc00' }],
  ['tier', { tier: '' }],
  ['tier', { tier: '__proto__' }],
  ['checksum', { checksum: '' }],
  ['checksum', { checksum: 'a'.repeat(64) }],
  ['checksum', { checksum: `md5:${'a'.repeat(64)}` }],
  ['checksum', { checksum: `SHA256:${'a'.repeat(64)}` }],
  ['checksum', { checksum: `sha256:${'a'.repeat(63)}` }],
  ['checksum', { checksum: `sha256:${'a'.repeat(65)}` }],
  ['checksum', { checksum: `sha256:${'g'.repeat(64)}` }],
  ['checksum', { checksum: `${checksumOf('a')}\n` }],
  ['base_checksum', { baseChecksum: '' }],
  ['base_checksum', { baseChecksum: `Sha256:${'a'.repeat(64)}` }],
])('a bad %s is refused, and its name is said', (name, changed) => {
  const refusal = checkItem(itemDraft(changed));
  expect(refusal).toMatchObject({ code: 'invalid_request' });
  expect(refusal).toHaveProperty('detail', expect.stringMatching(new RegExp(`^${name} .*\\.$`)));
});

test.each([
  '{"$where":"1"}',
  '{"__proto__":{"audience":"private"}}',
  '{"a.b":{"$gt":""}}',
  '{ "constructor" : null }',
])('the keys of front matter are data: %s', (frontmatterJson) => {
  expect(accepted({ frontmatterJson }).jsonHead).toContain(`"frontmatter":${frontmatterJson},`);
  expect(({} as Record<string, unknown>).audience).toBeUndefined();
});

const ada = { tier: 'team', handle: 'ada' } as const;

test('the public JSON of what a guest writes says so', () => {
  const { jsonHead } = accepted({ tier: 'external' });
  const writtenBy = (tier: 'team' | 'external') =>
    JSON.parse(Buffer.from(itemJson(jsonHead, 0, { tier, handle: 'eve' })).toString());
  expect(writtenBy('external')).toMatchObject({ by_guest: true, updated_by: 'eve' });
  expect(writtenBy('team')).not.toHaveProperty('by_guest');
});

test('the public JSON has the members of the contract, in order, with the text as given', () => {
  const item = accepted({ content: '# "A"\n\u2028', frontmatterJson: '{"n":1.0}', tier: 'client' });
  const json = Buffer.from(itemJson(item.jsonHead, 1_795_242_420_123, ada)).toString();
  expect(Object.entries(JSON.parse(json))).toEqual([
    ['row_key', 'notes/a.md'],
    ['title', '"A"'],
    ['content', '# "A"\n\u2028'],
    ['frontmatter', { n: 1 }],
    ['tier', 'external'],
    ['checksum', checksumOf('a')],
    ['updated_at', '2026-11-21T06:27:00.123Z'],
    ['updated_by', 'ada'],
  ]);
  expect(json).toContain('"frontmatter":{"n":1.0}');
});

test.each(['', 'ver: 1.10 # as it was\r\n', '"tier":"external","updated_at":"', '---\n\u0000\ufeff'])(
  'front matter as text stands in the public JSON as given: %j',
  (frontmatterText) => {
    const { jsonHead } = accepted({ frontmatterText, frontmatterJson: '{"n":1.0}' });
    const json = Buffer.from(itemJson(jsonHead, 1_795_242_420_123, ada)).toString();
    expect(JSON.parse(json)).toMatchObject({
      frontmatter: { n: 1 },
      frontmatter_text: frontmatterText,
      tier: 'team',
    });
    expect(accepted({}).jsonHead).not.toContain('frontmatter_text');
  },
);
