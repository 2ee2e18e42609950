import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { candidatesIn } from './candidates.ts';
import { headingFor } from './headings.ts';
import { sectionsOf } from './sections.ts';

function heading(text: string, question: string, title = 'Note'): string {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text, { title }));
  const findings = index.view('team').search(question, 1);
  return headingFor(
    sectionsOf(findings.passages, findings).flatMap((section) => candidatesIn(section, findings)),
    findings,
  );
}

test('a heading that says what is asked for, and the quote does not, is shown', () => {
  expect(heading('# Storm\n\n1. Stop the sender', 'what to do in a storm')).toBe('Storm');
  expect(heading('Stop the sender.', 'what to do in a storm', 'Storm runbook')).toBe('Storm runbook');
});

test('a heading is not shown where the quote says it', () => {
  expect(heading('# Storm\n\nIn a storm stop the sender.', 'what to do in a storm')).toBe('');
  expect(heading('# Storm\n\nIn a storm stop the sender.', 'what to do in a storm', 'Storm')).toBe('');
});

test('the version or the date of an entry is shown', () => {
  const log = '# Changes\n\n## 4.6.0 (2026-09-15)\n\n- 300 requests a minute';
  expect(heading(log, 'requests minute')).toBe('4.6.0 (2026-09-15)');
  expect(heading('# 2026-09-15\n\nThe limit is 300 requests.', 'requests limit')).toBe('2026-09-15');
});

test('a heading is shown that alone has the date asked for', () => {
  expect(heading('# Round of 14 May\n\nThe limit went up.', 'when did the limit go up')).toBe(
    'Round of 14 May',
  );
  expect(heading('# Round of 14 May\n\nThe limit went up.', 'did the limit go up')).toBe('');
});

test('title and headings that say the same are shown once, outermost first', () => {
  const text = '# Storm\n\n## Sender\n\n1. Stop it at once';
  expect(heading(text, 'storm sender', 'Storm')).toBe('Storm › Sender');
});

test('a decision is shown with what it is called, which is what was decided', () => {
  const index = createTeamIndex();
  const decision = itemPassages(1, 'Slow banks lost us buyers.', { title: 'Hold time 15 minutes' });
  index.apply({ ...decision, kind: 'decision' });
  const findings = index.view('team').search('why are buyers lost', 1);
  const units = sectionsOf(findings.passages, findings).flatMap((section) => candidatesIn(section, findings));
  expect(headingFor(units, findings)).toBe('Hold time 15 minutes');
});
