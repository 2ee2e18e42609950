import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from './front-matter.ts';

const parse = (source: string) => splitFrontMatter(`---\n${source}\n---\nbody`).frontmatter;

describe('splitFrontMatter', () => {
  it('keeps dates, tags that construct and numbers that JSON cannot hold as text', () => {
    const source =
      'date: 2026-11-21\nstamp: 2026-11-21T06:27:00Z\nid: 12345678901234567890\nn: .inf\nsmall: 7';
    expect(parse(source)).toEqual({
      date: '2026-11-21',
      stamp: '2026-11-21T06:27:00Z',
      id: '12345678901234567890',
      n: 'Infinity',
      small: 7,
    });
    expect(parse('a: !!binary aGk=\nb: !!js/function "() => 1"')).toEqual({ a: 'aGk=', b: '() => 1' });
  });

  it('keeps hostile keys as data', () => {
    const frontmatter = parse('__proto__: {polluted: true}\n$where: x\na.b: y');
    expect(JSON.stringify(frontmatter)).toBe('{"__proto__":{"polluted":true},"$where":"x","a.b":"y"}');
    expect(Object.getPrototypeOf(frontmatter)).toBe(Object.prototype);
  });

  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level++) {
    const name = String.fromCharCode(97 + level);
    const aliases = Array(9).fill(`*${String.fromCharCode(96 + level)}`);
    bomb.push(`${name}: &${name} [${aliases.join(', ')}]`);
  }
  const refused = {
    'aliases that expand without end': bomb.join('\n'),
    'nesting deeper than 8 levels': `a: ${'['.repeat(20)}${']'.repeat(20)}`,
    'nesting that would exhaust the stack': `a: ${'['.repeat(15_000)}`,
    'more than 32 KiB': `a: ${'x'.repeat(40_000)}`,
    'a list that may say who reads it': '- private',
    'bare text': 'audience private',
    'the same key twice': 'audience: team\naudience: private',
    'broken YAML': 'a: [',
  };
  for (const [name, source] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => parse(source)).toThrow(expect.objectContaining({ code: 'invalid_front_matter' }));
    });
  }

  it.for([
    '----\naudience: private\n',
    '\n\n---\nAudiences: private\n',
    '-----\ntier = [team, personal]\n',
    '----\n\u0430udience: priv\u0430te\n',
    '----\n"aud\\u0069ence": private\n',
  ])('refuses what looks like front matter and has a private marker: %j', (text) => {
    expect(() => splitFrontMatter(`${text}----\n\nbody`)).toThrow(
      expect.objectContaining({ code: 'invalid_front_matter' }),
    );
  });

  it.for([
    '---\n\naudience: private\n  broken: [\n---\nbody',
    '---\nFor the audience\n\naudience: private\n---\nbody',
  ])('refuses text between rules that has a private marker: %j', (text) => {
    expect(() => splitFrontMatter(text)).toThrow(expect.objectContaining({ code: 'invalid_front_matter' }));
  });

  it('tells the line of the file in which the YAML is broken', () => {
    const text = '---\ntitle: One\n# why\ntitle: Two\n---\nbody';
    expect(() => splitFrontMatter(text)).toThrow(/not valid YAML: .* at line 4, column 1$/);
  });

  it.for([
    '----\nA private matter.\n',
    '---\n\n# Roles\n\nThe audience: private customers.\n',
    '---\n\nOne rule.\n\n---\n\nAnother.\n',
    '---\n\nNote: a colon\n- and a list: [\n\n---\n\nAnother.\n',
    '---\n- a\n- list\n---\n',
    '---\r\nOne line.\r\n---\r\n',
    `---\n\n${'long '.repeat(10_000)}\n\n---\n`,
  ])('takes a text that begins with a horizontal rule for a body: %j', (text) => {
    expect(splitFrontMatter(text)).toEqual({ frontmatter: {}, body: text });
  });

  it('finds the block behind a byte order mark and with Windows line ends', () => {
    const text = '\ufeff---\r\naudience: private\r\n---\r\nbody\r\n';
    expect(splitFrontMatter(text)).toEqual({
      frontmatter: { audience: 'private' },
      source: 'audience: private\r\n',
      body: 'body\r\n',
    });
  });
});
