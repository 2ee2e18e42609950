import { expect, test } from 'vitest';
import { slugOf } from './projects.ts';

test('a slug is made of what a name has of letters and digits', () => {
  expect(['Winter timetable 2026', ' Übergänge & Brücken! ', 'a'.repeat(70), '時刻表'].map(slugOf)).toEqual([
    'winter-timetable-2026',
    'ubergange-brucken',
    'a'.repeat(64),
    '',
  ]);
});
