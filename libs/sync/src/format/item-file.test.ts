import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumOf } from './checksum.ts';
import { frontMatterBlocks, splitFrontMatter } from './front-matter.ts';
import { contentFromFile, fileFromItem } from './item-file.ts';

/** Pushes a file and pulls it again, by way of JSON. */
function roundTrip(bytes: Uint8Array): Buffer {
  const item = JSON.parse(JSON.stringify({ ...contentFromFile(bytes), checksum: checksumOf(bytes) }));
  return fileFromItem(item);
}

describe('the bytes of a file come back as they were pushed', () => {
  const files = [
    '',
    'text',
    'text\n',
    '---\n---\n',
    '---\n---',
    '---\nver: 1.10 # a comment\nzip: 01234\n---\nbody\n',
    '---\r\ntitle: x\r\n---\r\nbody\r\n',
    '---\ntitle: x\n---\r\nmixed\r\nends\n',
    '\ufeff---\ntitle: x\n---\nbody',
    '\ufeffbody',
    '\ufeff---\r\ntitle: x\r\n---\r\n',
    '--- \ntitle: spaces behind the fences\n---\t\nbody\n',
    '---\ntitle: x\n---\n---\na: b\n---\n',
    '---\n\n# a rule above a heading\n',
    '---\ntags: [a,   b]\n# only a comment\n---\n\n\nbody',
    '---\ntitle: "no end of line"\n---',
  ];
  it.for(files)('%j', (text) => {
    expect(roundTrip(Buffer.from(text)).toString()).toBe(text);
  });

  it('whatever their fences, ends of lines and marks are', () => {
    const pieces = [
      '---',
      '---\n',
      '---\r\n',
      '--- \n',
      '\n',
      '\r\n',
      'a: 1',
      'b: [x]',
      '# c',
      '\ufeff',
      'ü',
      ' ',
      '...\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        let isReadable = true;
        try {
          contentFromFile(bytes);
        } catch {
          isReadable = false;
        }
        if (isReadable) expect(roundTrip(bytes).equals(bytes)).toBe(true);
      }),
      { numRuns: 3_000, seed: 20261122 },
    );
  });

  it('front matter is kept apart as its author wrote it, and the content is the body alone', () => {
    const file = contentFromFile(Buffer.from('---\nver: 1.10 # x\n---\nbody\n'));
    expect(file).toEqual({
      content: 'body\n',
      frontmatter: { ver: 1.1 },
      frontmatter_text: 'ver: 1.10 # x\n',
    });
  });

  it('a file that is not UTF-8 is refused', () => {
    expect(() => contentFromFile(Buffer.from([0xff]))).toThrow(
      expect.objectContaining({ code: 'invalid_encoding' }),
    );
  });
});

describe('items of other clients', () => {
  const other = { checksum: `sha256:${'1'.repeat(64)}` };

  it('front matter that is only data is written in the plainest style and reads back as the same data', () => {
    const values: unknown[] = [
      'plain',
      '',
      'true',
      '1',
      '- a',
      '---',
      'a\n---\nb',
      'a: b',
      '"',
      '# no',
      'line\nline\n',
      '\u2028',
      1,
      -0.5,
      true,
      null,
      [],
      {},
      [[1], { a: [] }],
      { __proto__: 1, 'a b': { c: 'd' } },
    ];
    for (const value of values) {
      const frontmatter = { first: value, [typeof value === 'string' ? value : 'key']: value, list: [value] };
      for (const block of frontMatterBlocks(frontmatter)) {
        expect(splitFrontMatter(`${block}---\nbody`), block).toMatchObject({
          frontmatter,
          body: '---\nbody',
        });
      }
      const bytes = fileFromItem({ content: 'body', frontmatter, ...other });
      expect(contentFromFile(bytes)).toMatchObject({ frontmatter, content: 'body' });
    }
  });

  it('front matter as text may lack its last line end', () => {
    const text = '---\nver: 1.10\n---\nbody\n';
    const item = { content: 'body\n', frontmatter: { ver: 1.1 }, frontmatter_text: 'ver: 1.10' };
    expect(fileFromItem({ ...item, checksum: checksumOf(Buffer.from(text)) }).toString()).toBe(text);
    expect(fileFromItem({ ...item, ...other }).toString()).toBe(text);
  });

  it('where text and data of the front matter differ, the data counts, which everybody else sees', () => {
    const item = { content: 'body\n', frontmatter: { a: 1 }, frontmatter_text: 'a: 2\n', ...other };
    expect(fileFromItem(item).toString()).toBe('---\na: 1\n---\nbody\n');
    const broken = { ...item, frontmatter_text: 'a: 1\n---\nb: 2\n' };
    expect(fileFromItem(broken).toString()).toBe('---\na: 1\n---\nbody\n');
  });

  it('a checksum of the content alone does not lose the front matter', () => {
    const item = { content: 'body\n', frontmatter: { a: 1 }, checksum: checksumOf(Buffer.from('body\n')) };
    expect(fileFromItem(item).toString()).toBe('---\na: 1\n---\nbody\n');
  });

  it('a body that begins like front matter is not read as such', () => {
    const item = { content: '---\naudience: private\n---\ntext', frontmatter: {}, ...other };
    expect(contentFromFile(fileFromItem(item))).toMatchObject({ content: item.content, frontmatter: {} });
  });

  it('front matter too deep to write is refused', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const item = { content: '', frontmatter: deep, ...other };
    expect(() => fileFromItem(item)).toThrow(expect.objectContaining({ code: 'invalid_front_matter' }));
  });
});
