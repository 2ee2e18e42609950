import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { describe, expect, test } from 'vitest';
import {
  contentSaysPrivate,
  frontmatterSaysPrivate,
  frontmatterTextSaysPrivate,
  namesPrivate,
} from './private-markers.ts';

const privateWords = [
  'admin',
  'Private',
  ' personal\n',
  'private, team',
  'team/private',
  'private club',
  'pri\u200bvate',
  '\u2060private\ufeff',
  'pri\u00advate',
  'ｐｒｉｖａｔｅ',
  '𝐩𝐫𝐢𝐯𝐚𝐭𝐞',
  'рrіvаtе',
  'prıvate',
  'prívate',
  'PRİVATE',
  'p\u0000rivate',
];

test.each(privateWords)('the word %j might mean private', (word) => {
  expect(namesPrivate(word)).toBe(true);
});

test.each(['team', 'client', '', 'privateer', 'personnel', 'administrators', 'semiprivate'])(
  'the word %j does not mean private',
  (word) => {
    expect(namesPrivate(word)).toBe(false);
  },
);

describe('front matter as data is private', () => {
  test.each(privateWords)('with the audience %j', (audience) => {
    expect(frontmatterSaysPrivate({ audience })).toBe(true);
  });

  test.each([
    ['a list', ['team', 'private']],
    ['a list in a list', [['private']]],
    ['an object', { level: 'private' }],
    ['the name of a member', { private: true }],
  ])('with %s for its audience', (_, audience) => {
    expect(frontmatterSaysPrivate({ audience })).toBe(true);
  });

  test.each([
    'audience ',
    ' AUDIENCE',
    'Audience:',
    'audi\u200bence',
    'ａｕｄｉｅｎｃｅ',
    'audiences',
    'аudience',
    'tier',
  ])('with a member called %j', (name) => {
    expect(frontmatterSaysPrivate({ [name]: 'private' })).toBe(true);
  });

  test('with an audience that is merged into it', () => {
    expect(frontmatterSaysPrivate({ '<<': { audience: 'private' } })).toBe(true);
    expect(frontmatterSaysPrivate({ '<<': [{}, { audience: 'private' }] })).toBe(true);
  });
});

test.each<unknown>([
  {},
  { audience: 'team' },
  { audience: null },
  { audience: [['team']] },
  { title: 'private', tags: ['private'], note: { audience: 'private' } },
  { audiencekind: 'private' },
  { __proto__: 'private', constructor: 'private' },
  null,
  'private',
  [],
])('front matter %j is not private', (frontmatter) => {
  expect(frontmatterSaysPrivate(frontmatter)).toBe(false);
});

const privateTexts = [
  'audience: private',
  'audience : private',
  'audience:private',
  'title: a\nAudience:   "Private"  # said twice',
  '"audience": \'personal\'',
  "'audience': private",
  '"aud\\u0069ence": "priv\\x61te"',
  '  audience: private\n  title: a',
  'audience: &a private',
  '!!str audience: !!str private',
  '&k audience: private',
  'audience: [team, private]',
  'audience:\n  - team\n  - private',
  'audience:\n- private',
  'audience: >-\n  private',
  'audience: |\n\n  private',
  'audience:\n  level: private',
  'audience: [\nprivate\n]',
  '? audience\n: private',
  '{audience: private, title: a}',
  '{title: a, "audience": [team, private]}',
  '{"title":"a","audience":"private"}',
  '{\n  audience: private\n}',
  '{\n  "title": "a",\n  "audience": "private"\n}',
  '# written by a program\n!!map {\n  title: a,\n  audience: [\n    private ] }',
  'audience: "pri\\\n  vate"',
  'who: &w private\naudience: *w',
  'base: &b\n  audience: private\n<<: *b',
  'audience = "private"',
  'title: a\r\naudience: private\r\n',
  'title: a\raudience: private',
  'tier: private',
  'audi\u200bence: pri\u200bvate',
  'audience: "team # private"',
  "audience: 'team # private'",
  'audience: "team\n  # private"',
  'audience: "a \\" # private"',
  'audience: !!binary cHJpdmF0ZQ==',
  'audience: !<tag:yaml.org,2002:binary> "cHJpdmF0ZQ=="',
  'audience: !<tag:yaml.org,2002:str> private',
  'audience: !!binary |\n  cHJpdmF0ZQ==',
  'ᴀᴜᴅɪᴇɴᴄᴇ: ᴘʀɪᴠᴀᴛᴇ',
  'audience: pri\u2800vate',
  'audience: team\u2800private',
  'audience[0]: private',
  '"audience[]": private',
  'audience: p.r.i.v.a.t.e',
  'audience: team, a d m i n',
];

test.each(privateTexts)('front matter written as %j is private', (text) => {
  expect(frontmatterTextSaysPrivate(text)).toBe(true);
});

test.each([
  '',
  'title: a private matter',
  'audience: team\ntitle: private',
  'audience: team # not private',
  '# audience: private',
  '{audience: team, title: private}',
  'note:\n  audience: private',
  'target audience: private',
  'audience: team\ntags:\n  - private',
  "title: the team's # note\naudience: team # private",
  "audience: 'team' # private",
  'audience: "team" # private',
  "note: 'tis a line\naudience: team # private",
  'audience: the privateers',
  'note: !!binary cHJpdmF0ZQ==\naudience: team',
  'audience: !!binary dGVhbQ==\ntitle: private',
  'audience: !!binary ?\ntitle: private',
  'list[0]: private\naudience: team',
  'audience: t.e.a.m\ntitle: p.r.i.v.a.t.e',
])('front matter written as %j is not private', (text) => {
  expect(frontmatterTextSaysPrivate(text)).toBe(false);
});

describe('content is private', () => {
  test.each(privateTexts)('behind front matter %j', (text) => {
    expect(contentSaysPrivate(`---\n${text}\n---\n\n# A\n`)).toBe(true);
  });

  test.each([
    ['a byte-order mark', '\ufeff---\naudience: private\n---\n'],
    ['blank lines', '\n  \n---\naudience: private\n---\n'],
    ['a braille blank', '\u2800---\naudience: private\n---\n'],
    ['a zero-width space', '\u200b---\naudience: private\n---\n'],
    ['blanks behind the hyphens', '---  \naudience: private\n---\n'],
    ['a mapping behind the hyphens', '--- {audience: private}\n---\n'],
    ['plus signs', '+++\naudience = "private"\n+++\n'],
    ['braces instead of hyphens', '{\n  "title": "a",\n  "audience": "private"\n}\n\n# A\n'],
    ['dots at the end', '---\naudience: private\n...\ntext'],
    ['no end', '---\naudience: private\n\ntext'],
    ['a blank line within', '---\ntitle: a\n\naudience: private\n---\n'],
  ])('behind front matter with %s', (_, content) => {
    expect(contentSaysPrivate(content)).toBe(true);
  });

  test.each([
    'audience: private',
    '# A\n\n---\naudience: private\n---\n',
    '---\ntitle: a\n---\n\naudience: private\n',
    '----\naudience: private\n---\n',
    '{\n  "title": "a"\n}\naudience: private\n',
    '---\n\nWhat is said here is private.\n\nAudience: private\n',
    '',
  ])('is not: %j', (content) => {
    expect(contentSaysPrivate(content)).toBe(false);
  });

  test.each([
    ['white space', ' '],
    ['hyphens', '---\n'],
    ['audiences', 'audience: private-x,\n'],
    ['mappings', '{audience: a,'],
    ['lines of mappings', '{a:\n'],
    ['tags', '! '],
    ['aliases', 'audience: *a privatex\n'],
    ['equals signs', '='],
    ['commas', ',a'],
    ['comments', ' #'],
    ['numbers of characters', '\\u0061'],
    ['question marks', '?'],
    ['quotes', ' "'],
    ['bytes', '!!binary '],
    ['tags with names', '!<a'],
    ['letters apart', 'p.r.i.v.a.t.'],
    ['blanks of another kind', '\u2800'],
    ['brackets', '['],
  ])('or not within a moment, be it a megabyte of %s', (_, unit) => {
    const text = `---\nprivatex ${unit.repeat(1_000_000 / unit.length)}`;
    const tookMs = processorMilliseconds(() => {
      contentSaysPrivate(text);
      contentSaysPrivate(`${text}\n---\nprivate`);
      frontmatterTextSaysPrivate(`private-${text.slice(4)}`);
    });
    // Some 300 ms for the worst of them.
    expect(tookMs).toBeLessThan(3_000);
  });
});
