import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { withTextFields } from './item-fields.ts';
import { type Fields, noFields } from './passage.ts';

const byChange: Fields = { ...noFields, date: '2026-11-22', isDatedByChange: true };

function dayOf(content: string, fields = byChange) {
  return withTextFields(fields, 'Note', content).date;
}

test.for([
  ['# Team meeting, 4 March 2026\n\ntext', '2026-03-04'],
  ['Status week 46 (9 to 13 November 2026)\n\ntext', '2026-11-13'],
  ['# Plan\n\n**Date:** 2026-03-04\n', '2026-03-04'],
  ['# Plan\n\nDatum: 4. März 2026', '2026-03-04'],
  ['# Plan\n\n2026-03-04\n\ntext', '2026-03-04'],
  ['- Date: 2026-03-04\n- Place: Harlev', '2026-03-04'],
  ['# Plan\n\nStand Januar 2025\n\ntext', '2025-01-01'],
  ['# Plan\n\nlast change 2025-10-02 tobi', '2025-10-02'],
] as const)('a text names its day in its title or a line of its own: %j', ([content, day]) => {
  expect(dayOf(content)).toBe(day);
});

test.for([
  '# Plan\n\nSince 4 March 2026 we have a plan for the kiosks, and it is a good one.',
  `# Plan\n\n${'line\n'.repeat(20)}Date: 2026-03-04`,
  '# Plan\n\n## Notes\n\nDate: 2026-03-04',
  '- [ ] Renew the certificate due:2026-03-04\n- 2026-03-05',
  '| 2026-03-04 |',
])('a day amid the text is not that of the text: %j', (content) => {
  expect(dayOf(content)).toBe('2026-11-22');
});

test('a day that front matter or place name counts before that of the text', () => {
  expect(dayOf('Date: 2026-03-04', { ...noFields, date: '2026-01-01' })).toBe('2026-01-01');
});

test.for([
  '# Files\n\nSuperseded by ADR 10 in January 2026: settlement files are fetched.',
  '# Files\n\n(replaced by policies/files.md, April 2026)',
  '> **Warning: deprecated**',
  '> [!WARNING]\n> This page is deprecated. Use the other one.',
  '# Files\n\nErsetzt durch die Fassung vom März 2026.',
  'Diese Anleitung ist veraltet.',
  '# Files\n\nCe document est obsolète.',
  'This policy is no longer in force.',
  '# Files (deprecated)\n\ntext',
])('a banner at the beginning says that a text is outdated: %j', (content) => {
  expect(withTextFields(byChange, 'Files', content).isOutdated).toBe(true);
});

test.for([
  '# Team meeting\n\nWe deprecated the files, and superseded the old way.',
  'Replaces the rules of 2025.',
  'Deprecated endpoints are listed below.',
  'Old laptops go to the school.',
  'Rejected sailings get an SMS.',
  '# Files\n\nThe kiosk replaced by the ticket office in May is in the cellar.',
  `# Files\n\n${'line\n'.repeat(20)}This page is deprecated.`,
])('what a text says of other things does not make it outdated: %j', (content) => {
  expect(withTextFields(byChange, 'Files', content).isOutdated).toBe(false);
});

test('a status comes from fields only, whatever a text says of one', () => {
  const content = '# ADR\n\n* **Status:** superseded\n';
  expect(withTextFields(byChange, 'ADR', content)).toMatchObject({ status: '', isOutdated: false });
  expect(withTextFields({ ...byChange, status: 'draft' }, 'ADR', content).status).toBe('draft');
});

test('a month or quarter is told apart from a day', () => {
  expect(withTextFields(byChange, 'Note', 'Stand Januar 2025\n\ntext')).toMatchObject({
    isDatedByPeriod: true,
  });
  expect(withTextFields(byChange, 'Note', 'Stand 4. Januar 2025\n\ntext').isDatedByPeriod).toBeUndefined();
});

test('a megabyte of what looks like banners takes no longer than its first lines', () => {
  for (const line of ['this is the the the ', '> * _ ( [', 'note: warning: ', '2026-2026-', 'status: ']) {
    const [title, content] = [line.repeat(1_000), line.repeat(2 ** 20 / line.length)];
    expect(processorMilliseconds(() => withTextFields(byChange, title, content))).toBeLessThan(500);
  }
});
