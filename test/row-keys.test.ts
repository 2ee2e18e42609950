import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** Values at the bounds of docs/contract.md, "Push items", as changes to an item that is good otherwise. */
const mebibyte = 1024 * 1024;
const digest = '0123456789abcdef'.repeat(4);
const levels = (count: number): unknown => (count === 1 ? {} : { a: levels(count - 1) });
/** A front matter of so many bytes of JSON. */
const frontmatterOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

const good: [name: string, changes: Record<string, unknown>][] = [
  ['one letter', { row_key: 'a' }],
  ['hidden names and dots', { row_key: '.notes/...md/a..b/..c' }],
  ['blanks', { row_key: ' a b / c ' }],
  ['characters of URLs, shells and queries', { row_key: 'a?b#c%2f&d=e;$f`g"h\'i*j|k:l@m<n>' }],
  ['operators and prototypes', { row_key: '__proto__/$where/constructor' }],
  ['composed letters', { row_key: 'caf\u00e9/\u6f22\u5b57/\u{1f600}.md' }],
  ['1,024 bytes', { row_key: 'x'.repeat(1024) }],
  ['1,024 bytes in 512 letters', { row_key: '\u00e9'.repeat(512) }],
  ['no content', { content: '' }],
  ['1 MiB of content', { content: 'x'.repeat(mebibyte) }],
  ['1 MiB of content in fewer letters', { content: '\u00e9'.repeat(mebibyte / 2) }],
  ['control characters in content', { content: '\u0000\u0001\u2028\ufeff\r\n' }],
  ['32 KiB of front matter', { frontmatter: frontmatterOf(32 * 1024) }],
  ['8 levels of front matter', { frontmatter: levels(8) }],
  ['a checksum in capitals', { checksum: `sha256:${digest.toUpperCase()}` }],
  ['a checksum that is not of the content', { checksum: `sha256:${'0'.repeat(64)}` }],
  ['members that nobody knows', { seq: 1, deleted: true, updated_at: 'x', team_id: 'x', __proto__: 1 }],
];

const bad: typeof good = [
  ['an empty row_key', { row_key: '' }],
  ['an absolute path', { row_key: '/a' }],
  ['a folder', { row_key: 'a/' }],
  ['an empty segment', { row_key: 'a//b' }],
  ['a dot', { row_key: '.' }],
  ['a dot segment', { row_key: 'a/./b' }],
  ['two dots', { row_key: '..' }],
  ['a way out', { row_key: '../a' }],
  ['a way out from inside', { row_key: 'a/../../b' }],
  ['a way out at the end', { row_key: 'a/..' }],
  ['a backslash', { row_key: 'a\\b' }],
  ['a NUL', { row_key: 'a\u0000b' }],
  ['a line break', { row_key: 'a\nb' }],
  ['a DEL', { row_key: 'a\u007f' }],
  ['a control character of Latin-1', { row_key: 'a\u0085' }],
  ['decomposed letters', { row_key: 'cafe\u0301' }],
  ['a lone surrogate', { row_key: 'a\ud800' }],
  ['1,025 bytes', { row_key: 'x'.repeat(1025) }],
  ['1,026 bytes in 513 letters', { row_key: '\u00e9'.repeat(513) }],
  ['a row_key that is no text', { row_key: 7 }],
  ['a row_key that is an operator', { row_key: { $ne: null } }],
  ['no row_key', { row_key: undefined }],
  ['content above 1 MiB', { content: 'x'.repeat(mebibyte + 1) }],
  ['content above 1 MiB in fewer letters', { content: `\u00e9${'x'.repeat(mebibyte - 1)}` }],
  ['content with a lone surrogate', { content: '\udc00' }],
  ['content that is no text', { content: ['x'] }],
  ['no content member', { content: undefined }],
  ['front matter above 32 KiB', { frontmatter: frontmatterOf(32 * 1024 + 1) }],
  ['9 levels of front matter', { frontmatter: levels(9) }],
  ['9 levels in lists', { frontmatter: { a: [[[[[[[[]]]]]]]] } }],
  ['front matter that is a list', { frontmatter: [] }],
  ['front matter that is null', { frontmatter: null }],
  ['front matter that is text', { frontmatter: '{}' }],
  ['no front matter', { frontmatter: undefined }],
  ['front matter as text above 32 KiB', { frontmatter_text: 'x'.repeat(32 * 1024 + 1) }],
  ['front matter as text that is none', { frontmatter_text: {} }],
  ['front matter as text that is null', { frontmatter_text: null }],
  ['an unknown tier', { tier: 'public' }],
  ['an empty tier', { tier: '' }],
  ['a tier from the prototype', { tier: 'constructor' }],
  ['a tier that is no text', { tier: ['team'] }],
  ['no tier', { tier: undefined }],
  ['a checksum without its name', { checksum: digest }],
  ['a short checksum', { checksum: `sha256:${digest.slice(1)}` }],
  ['a long checksum', { checksum: `sha256:${digest}0` }],
  ['a checksum with a line break', { checksum: `sha256:${digest}\n` }],
  ['another digest', { checksum: `sha512:${digest}` }],
  ['a checksum that is not hexadecimal', { checksum: `sha256:${digest.slice(1)}g` }],
  ['no checksum', { checksum: undefined }],
  ['a bad base_checksum', { base_checksum: 'x' }],
];

describeEachService('the values of an item', (service) => {
  let clients: TeamClients;
  beforeAll(async () => {
    clients = await newTeam(service());
  });

  test.for(good)('%s: stored and given back as sent', async ([, changes]) => {
    const { team } = await newTeam(service());
    const sent = item('a.md', 'text', changes);
    const { status, body } = await team.push(sent);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: [] });
    const { row_key, content, frontmatter, checksum } = sent;
    const stored = { row_key, content, frontmatter, checksum: checksum.toLowerCase() };
    expect(await team.rows()).toMatchObject([stored]);
  });

  describe('that are bad', () => {
    test.for(bad)('%s: refused, with nothing stored', async ([, changes]) => {
      const { status, body } = await clients.team.push(item('a.md', 'text', changes));
      expect({ status, code: body.code, accepted: body.accepted }).toEqual({
        status: 422,
        code: 'invalid_request',
        accepted: 0,
      });
      expect(body.errors).toEqual([
        {
          index: 0,
          row_key: expect.any(String),
          code: 'invalid_request',
          detail: expect.stringMatching(/\S/),
        },
      ]);
      expect(JSON.stringify(body).length).toBeLessThan(8_192);
      expect(await clients.team.rows('?include_deleted=true')).toEqual([]);
    });
  });
});
