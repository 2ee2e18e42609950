import { expect, test } from 'vitest';
import { dashboardTexts, germanTexts, loadedWith } from '../support/dashboard/dashboard-texts.ts';

const texts = dashboardTexts();
const firstView = germanTexts(true);
const others = germanTexts(false);

/** The places of a text, such as `{count}` and `<link>`. */
const placesOf = (text: string) => (text.match(/\{\w+\}|<\w+>/g) ?? []).sort().join(' ');
const isLoadedWith = (entries: readonly string[]) => {
  const files = new Set(entries.flatMap((entry) => [...loadedWith(entry, texts)]));
  return (path: string) => files.has(path);
};

test('every word that people read goes through the catalogue', () => {
  expect(texts.outside).toEqual([]);
});

test('every text has a German one, with the same places and the forms of its number', () => {
  const faults: string[] = [];
  for (const [english, { one }] of texts.used) {
    const german = [...(firstView.get(english) ?? []), ...(others.get(english) ?? [])];
    if (german.length !== (one === undefined ? 1 : 2))
      faults.push(`${german.length} German forms: ${english}`);
    if (german.length > 0 && placesOf(german.at(-1) ?? '') !== placesOf(english))
      faults.push(`places: ${english}`);
  }
  expect(faults).toEqual([]);
});

test('every German text is used', () => {
  expect([...firstView.keys(), ...others.keys()].filter((english) => !texts.used.has(english))).toEqual([]);
});

test('what is shown first needs no text that is loaded later, and reads none while it is loaded itself', () => {
  expect(texts.firstPages).toContain('pages/ask/ask-page.tsx');
  const isFirst = isLoadedWith(['main.tsx', ...texts.firstPages]);
  const needed = [...texts.used].filter(([, { paths }]) => [...paths].some(isFirst));
  expect(needed.map(([english]) => english).filter((english) => !firstView.has(english))).toEqual([]);
  expect([...texts.early].filter(isLoadedWith(['main.tsx']))).toEqual([]);
});
