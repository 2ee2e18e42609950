import { liveMarkup } from '@teammemory/testkit/rendered-markup.ts';
import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { candidatesIn } from './candidates.ts';
import { sectionsOf } from './sections.ts';
import { shownParts } from './showing.ts';

/** The text of an answer that quotes those units of an item that have one of the words asked for. */
function shown(text: string, question: string, { title = 'Note', heading = '' } = {}): string {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text, { title }));
  const findings = index.view('team').search(question, 1);
  const units = sectionsOf(findings.passages, findings)
    .flatMap((section) => candidatesIn(section, findings))
    .filter(({ asked }) => asked.size > 0);
  const section = units[0]?.section;
  if (section === undefined) throw new Error('nothing was found');
  return shownParts([{ section, number: 1, title, heading, timeMark: '', units }], 'inert').join('');
}

test('sentences go on in a line, with one citation for those that stand together', () => {
  expect(shown('Salt is here. Sugar is not. Salt is dear. Salt is white.', 'salt')).toBe(
    'Salt is here. [1] Salt is dear. Salt is white. [1]',
  );
});

test('paragraphs begin anew', () => {
  expect(shown('Salt is here.\n\nSugar is not.\n\nSalt is dear.', 'salt')).toBe(
    'Salt is here. [1]\n\nSalt is dear. [1]',
  );
});

test('items stand on lines of their own, what they stand under is shown once, and what is left out is counted', () => {
  const text = 'They want:\n\n- salt, now\n- sugar\n- salt, later\n- flour';
  expect(shown(text, 'salt', { title: 'Shopping' })).toBe(
    'They want:\n\n- salt, now\n- salt, later\n\n… and 2 more in Shopping [1]',
  );
});

test('of one item nothing is counted, for it was asked for alone, and nothing of a list that is shown whole', () => {
  expect(shown('They want:\n\n- salt, now\n- sugar', 'salt')).toBe('They want:\n\n- salt, now [1]');
  expect(shown('They want:\n\n- salt, now\n- salt, later', 'salt')).toBe(
    'They want:\n\n- salt, now\n- salt, later [1]',
  );
});

test('rows of a table stand together under its head, with one citation outside of the table', () => {
  const table = '| host | port |\n|---|---|\n| salt-1 | 80 |\n| sugar | 81 |\n| salt-2 | 82 |';
  expect(shown(`${table}\n\nSalt is dear.`, 'salt', { title: 'Hosts' })).toBe(
    '| host | port |\n|---|---|\n| salt-1 | 80 |\n| salt-2 | 82 |\n\n… and 1 more in Hosts [1]\n\nSalt is dear. [1]',
  );
  expect(shown('| host | port |\n|---|---|\n| salt | 80 |', 'salt')).toBe(
    '| host | port |\n|---|---|\n| salt | 80 |\n\n[1]',
  );
});

test('code stands between fences of its own, with its citation outside of them', () => {
  expect(shown('Salt:\n```sh\nsalt --all\n```\n', 'salt')).toBe('Salt:\n```sh\nsalt --all\n```\n\n[1]');
  const long = `\`\`\`\`sh\nsalt\n\n${'sugar\n'.repeat(100)}\nmore salt\n\`\`\`\``;
  expect(shown(long, 'salt')).toBe('````sh\nsalt\nmore salt\n````\n\n… and more in Note [1]');
});

test('code that its passage does not close is closed before the citation', () => {
  expect(shown('```sh\nsalt --all', 'salt')).toBe('```sh\nsalt --all\n```\n\n[1]');
});

test('what is indented below its announcement is not shown as code, which would swallow the citation', () => {
  expect(shown('Run it so:\n\n    salt --all', 'salt')).toBe('Run it so:\n\nsalt --all [1]');
});

test('bracketed numbers of a quote are round in what it stands under, in its heading and in its title, too', () => {
  const text = 'See [7]:\n\n- salt [8]\n- salt [9]\n- sugar';
  expect(shown(text, 'salt', { title: 'A [5]', heading: 'B [6]' })).toBe(
    '**B (6)**\n\nSee (7):\n\n- salt (8)\n- salt (9)\n\n… and 1 more in A (5) [1]',
  );
});

test('a heading stands before what is quoted, in bold and without markup of its own', () => {
  expect(shown('Salt is here.', 'salt', { heading: '**The** `salt` [cellar](https://a.test)' })).toBe(
    '**The salt cellar**\n\nSalt is here. [1]',
  );
});

test('the citation of an item that opens code stands below it, so that the code ends where it should', () => {
  const text = ['- ```', '  salt <b>one</b>', '', '- ~~~', '  salt <b>two</b>', '', 'Salt <b>three</b>.'];
  const answer = shown(text.join('\n'), 'salt');
  expect(answer).toMatch(/\n\n\[1\]$/);
  expect(liveMarkup(answer)).toEqual([]);
});

test.for(['<img src=x onerror=a>', '[a](javascript:b)', '![a](https://a.test)', '</b><script>'])(
  'neither heading nor title can bring markup into an answer: %s',
  (markup) => {
    const text = '- salt one\n- salt two\n- sugar';
    expect(liveMarkup(shown(text, 'salt', { title: `A ${markup}`, heading: `B ${markup}` }))).toEqual([]);
  },
);
