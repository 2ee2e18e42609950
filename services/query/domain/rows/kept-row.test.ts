import { expect, test } from 'vitest';
import { publicKeyOf } from '../passages/passage.ts';
import { feedDecision } from './row.fixture.ts';
import { decisionChange, decisionDocument, projectDocument } from './row.ts';

test.for([
  ['the day on which it was taken', { decidedOn: '2026-05-01' }, '2026-05-01', undefined],
  ['else that of its last change', {}, '2026-11-02', true],
] as const)('a decision has %s', ([, changed, date, isDatedByChange]) => {
  const decision = feedDecision('d', changed);
  const { fields } = decisionDocument(decision);
  expect([fields?.date, fields?.isDatedByChange]).toEqual([date, isDatedByChange]);
  expect(decisionChange(decision)).toMatchObject({ date });
});

test('what was superseded or rejected does not hold, what is proposed or accepted may', () => {
  const outdated = ['proposed', 'accepted', 'superseded', 'rejected'].map(
    (status) => decisionDocument(feedDecision('d', { status })).fields?.isOutdated,
  );
  expect(outdated).toEqual([false, false, true, true]);
});

test('a decision that says all with its title has that for its text', () => {
  const title = 'Paint it blue';
  expect(decisionDocument(feedDecision('d', { title, body: ' \n' })).content).toBe(title);
  expect(decisionDocument(feedDecision('d', { title, body: 'Because.' })).content).toBe('Because.');
});

test('what is gone has no text, and its row is forgotten', () => {
  const gone = { seq: 3, id: 'd', tier: 'external', isGone: true } as const;
  expect(decisionDocument(gone)).toMatchObject({ seq: 3, title: '', content: '' });
  expect(decisionChange(gone)).toEqual({ kind: 'decision', id: 'd', isGone: true });
  expect(projectDocument({ slug: 'a' }, 2)).toMatchObject({ seq: 2, passages: [] });
});

test('no item can have the key of a decision or project, which clients know by its folder', () => {
  const decision = decisionDocument(feedDecision('d')).rowKey;
  const project = projectDocument({ slug: 'a', name: 'A' }, 1).rowKey;
  // The rule of row keys, of which one has no control character.
  for (const key of [decision, project]) expect(key).toMatch(/\p{Cc}/u);
  expect([decision, project, 'notes/a.md'].map(publicKeyOf)).toEqual([
    ...['decisions/d', 'projects/a'],
    'notes/a.md',
  ]);
});
