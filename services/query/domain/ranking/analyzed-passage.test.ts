import { expect, test } from 'vitest';
import { noFields } from '../passages/fields.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { termCache } from '../text/analyzer.ts';
import { analyzePassage, textsOfItem } from './analyzed-passage.ts';

/** The terms of the first passage of an item, in order, those of its head apart. */
function termsOf(item: ReturnType<typeof itemPassages>) {
  const [passage] = item.passages;
  if (passage === undefined) throw new Error('an item without passages');
  const { terms, sequence, length, headLength } = analyzePassage(textsOfItem(item), passage);
  const all = Array.from(sequence.subarray(0, length), (place) => termCache.textOf(terms[place] as number));
  return { head: all.slice(0, headLength), text: all.slice(headLength) };
}

test('a passage is found by title, text, and once by what its path, project and tags add to them', () => {
  const fields = { ...noFields, project: 'tide', tags: ['tide', 'alarm', 'alarm'] };
  const item = itemPassages(1, 'Alarm rings.', { rowKey: 'port/port/pump-alarm.md', title: 'Tide', fields });
  expect(termsOf(item)).toEqual({
    head: ['tide', 'alarm', 'port', 'pump'],
    text: ['alarm', 'ring', 'project'],
  });
});

test('what was found of one passage is not taken for a part of the next one', () => {
  const long = itemPassages(1, 'Pumps ring, and alarms of pumps ring.', { rowKey: 'a', title: 'Alarm' });
  const short = itemPassages(2, 'Alarms ring.', { rowKey: 'b', title: 'Pump' });
  const alone = [long, short].map(termsOf);
  expect([short, long, short, long].map(termsOf)).toEqual([alone[1], alone[0], alone[1], alone[0]]);
  expect(alone[1]).toEqual({ head: ['pump'], text: ['alarm', 'ring'] });
});
