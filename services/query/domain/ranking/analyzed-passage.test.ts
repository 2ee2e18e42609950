import { expect, test } from 'vitest';
import { noFields } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { analyzePassage, textsOfItem } from './analyzed-passage.ts';

/** The terms of the first passage of an item, in order, those of its head apart. */
function termsOf(item: ReturnType<typeof itemPassages>) {
  const [passage] = item.passages;
  if (passage === undefined) throw new Error('an item without passages');
  return analyzePassage(textsOfItem(item), passage);
}

test('a passage is found by title, text, and once by what its path, project and tags add to them', () => {
  const fields = { ...noFields, project: 'tide', tags: ['tide', 'alarm', 'alarm'] };
  const item = itemPassages(1, 'Alarm rings.', { rowKey: 'port/port/pump-alarm.md', title: 'Tide', fields });
  expect(termsOf(item)).toEqual({
    head: ['tide', 'alarm', 'port', 'pump'],
    text: ['alarm', 'ring', 'project'],
  });
});
