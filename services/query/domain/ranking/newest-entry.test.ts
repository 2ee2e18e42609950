import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';

const entries = (headings: readonly string[]) =>
  headings.map((heading, place) => `## ${heading}\n\n- fixes release number ${place}`).join('\n\n');

function newest(question: string, headings: readonly string[]) {
  const index = indexInMemory();
  index.apply(itemPassages(1, `# Changelog of harbourmaster\n\n${entries(headings)}`));
  index.apply(itemPassages(2, 'The party for the release was in May.'));
  const { passages } = index.view('team').search(question, 5);
  return passages.map(({ passage }) => passage.headings.at(-1));
}

const hundred = Array.from({ length: 100 }, (_, place) => `1.${place}.0`);

test.each([
  ['by version, at the end of a long log', hundred, '1.99.0'],
  ['by version, at its beginning', hundred.toReversed(), '1.99.0'],
  [
    'by day, whatever the versions say',
    ['2.0.0 (2026-01-05)', '1.9.8 (2026-03-01)', '1.9.7 (2025-12-01)'],
    '1.9.8 (2026-03-01)',
  ],
  ['by day, without versions', ['2026-05-01', '2026-06-01', '2026-04-01'], '2026-06-01'],
])(
  'a question for the latest release of a log is answered by its newest entry alone: %s',
  (_, headings, wanted) => {
    expect(newest('latest harbourmaster release', headings)).toEqual([wanted]);
  },
);

test('a question for the latest that names more than the log is not answered by whatever is newest', () => {
  const index = indexInMemory();
  const log =
    '# Changelog\n\n## 3.0.0\n\n- dark mode\n\n## 2.0.0\n\n- the quota is sixty\n\n## 1.0.0\n\n- first';
  index.apply(itemPassages(1, log));
  const { passages } = index.view('team').search('latest change of the quota', 5);
  expect(passages[0]?.passage.headings.at(-1)).toBe('2.0.0');
});

test('a document with few versions among its headings is no log', () => {
  expect(newest('latest harbourmaster release', ['Install', '1.0.0', 'Use', 'Questions'])).not.toEqual([
    '1.0.0',
  ]);
});
