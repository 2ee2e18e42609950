import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { sectionsOf } from './sections.ts';

const word = (count: number, text: string) => Array.from({ length: count }, (_, index) => `${text}${index}`);

function sections(text: string, question: string, limit = 5) {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text));
  const findings = index.view('team').search(question, limit);
  return { passages: findings.passages, sections: sectionsOf(findings.passages, findings) };
}

test('a list that goes on in other passages is seen whole, and each of its passages once', () => {
  const items = word(100, 'server').map((name) => `- the host ${name} runs in the cellar`);
  const { passages, sections: found } = sections(`# Hosts\n\n${items.join('\n')}`, 'host server3 cellar');
  expect(passages.length).toBeGreaterThan(1);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ text: items.join('\n'), isCut: false });
  const texts = found[0]?.found.map(({ start, end }) => found[0]?.text.slice(start, end));
  expect(texts).toEqual(passages.map(({ passage }) => passage.text));
});

test('paragraphs, and lists below another heading, stay apart', () => {
  const long = 'The host is in the cellar of the house. '.repeat(40);
  expect(sections(`${long}\n\n${long}`, 'host cellar').sections.length).toBeGreaterThan(1);
  const { sections: found } = sections('# A\n\n- host one\n\n# B\n\n- host two', 'host');
  expect(found.map(({ text }) => text).sort()).toEqual(['- host one', '- host two']);
});

test('code that is cut goes on behind the passage that opens it', () => {
  const code = ['```', ...word(150, 'call host cellar '), '```'].join('\n');
  expect(sections(code, 'host cellar 3', 1).sections[0]?.text).toBe(code);
});

test('of a very long list four passages on each side are looked at, and it is said that there may be more', () => {
  const items = word(1_000, 'server').map((name) => `- the host ${name} runs in the cellar`);
  const { sections: found } = sections(items.join('\n'), 'server500', 1);
  expect(found[0]?.isCut).toBe(true);
  expect(found[0]?.starts).toHaveLength(9);
});

test('words that announce the headings below them are seen with these, where a list may be asked for', () => {
  const text =
    '# Hooks\n\nThere are two hooks:\n\n## onSend\n\nLate.\n\n## onError\n\nSeldom.\n\n# Others\n\nNone.';
  const seen = (question: string) => sections(text, question, 1).sections[0]?.text;
  expect(seen('which hooks are there two')).toBe('There are two hooks:\n\n- onSend\n- onError');
  expect(seen('why are there two hooks')).toBe('There are two hooks:');
});
