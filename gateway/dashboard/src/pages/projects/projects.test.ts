import { expect, test } from 'vitest';
import { slugOf } from './projects.ts';

test('a slug has the letters and digits of a name', () => {
  expect(['Winter timetable 2026', ' Übergänge & Brücken! ', 'a'.repeat(70), '時刻表'].map(slugOf)).toEqual([
    'winter-timetable-2026',
    'ubergange-brucken',
    'a'.repeat(64),
    '',
  ]);
});
