import { liveMarkup } from '@teammemory/testkit/rendered-markup.ts';
import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/item.fixture.ts';
import { quotedParts } from './quoted-parts.ts';
import { quotesOf } from './quotes.ts';

/** The text of an answer that quotes those parts of an item that have one of the words asked for. */
function shown(text: string, question: string): string {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text));
  const findings = index.view('team').search(question, 1);
  const quotes = findings.passages.flatMap((hit) => quotesOf(hit, 0, findings));
  return quotedParts(
    quotes.filter(({ covered }) => covered > 0).map((quote) => ({ ...quote, number: 1 })),
    'inert',
  ).join('');
}

test('sentences go on in a line, each with its citation', () => {
  expect(shown('Salt is here. Sugar is not. Salt is dear.', 'salt')).toBe(
    'Salt is here. [1] Salt is dear. [1]',
  );
});

test('items stand on lines of their own, and what they stand under is shown once', () => {
  const text = 'They want:\n\n- Ada\n  - salt, now\n  - sugar\n  - salt, later\n- Bo\n  - salt';
  expect(shown(text, 'salt')).toBe(
    'They want:\n\n- Ada\n  - salt, now [1]\n  - salt, later [1]\n\n- Bo\n  - salt [1]',
  );
});

test('rows of a table stand together under its head, with one citation outside of the table', () => {
  const text =
    '| host | port |\n|---|---|\n| salt-1 | 80 |\n| sugar | 81 |\n| salt-2 | 82 |\n\nSalt is dear.';
  expect(shown(text, 'salt')).toBe(
    '| host | port |\n|---|---|\n| salt-1 | 80 |\n| salt-2 | 82 |\n\n[1]\n\nSalt is dear. [1]',
  );
});

test('code stands between fences of its own, with its citation outside of them', () => {
  expect(shown('Salt:\n```sh\nsalt --all\n```\n', 'salt')).toBe('Salt:\n```sh\nsalt --all\n```\n\n[1]');
  const long = `\`\`\`\`sh\nsalt\n\n${'sugar\n'.repeat(100)}\nmore salt\n\`\`\`\``;
  expect(shown(long, 'salt')).toBe('````sh\nsalt\nmore salt\n````\n\n[1]');
});

test('code that its passage does not close is closed before the citation', () => {
  expect(shown('```sh\nsalt --all', 'salt')).toBe('```sh\nsalt --all\n```\n\n[1]');
});

test('what is indented below its announcement is not shown as code, which would swallow the citation', () => {
  expect(shown('Run it so:\n\n    salt --all', 'salt')).toBe('Run it so:\n\nsalt --all [1]');
});

test('bracketed numbers of a quote are round in what it stands under, too', () => {
  expect(shown('See [7]:\n\n- salt [8]', 'salt')).toBe('See (7):\n\n- salt (8) [1]');
});

test('the citation of an item that opens code stands below it, so that the code ends where it should', () => {
  const text = ['- ```', 'salt <b>one</b>', '', '- ~~~', 'salt <b>two</b>', '', 'Salt <b>three</b>.'].join(
    '\n',
  );
  const answer = shown(text, 'salt');
  expect(answer).toMatch(/one<\/b>\n {2}```\n\n\[1\]/);
  expect(liveMarkup(answer)).toEqual([]);
});
