import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The module as a browser with these languages loads it, with all texts. */
async function languageOf(...languages: string[]) {
  vi.stubGlobal('navigator', { languages });
  const module = await import('./language.ts');
  await module.loadFirstTexts();
  await module.loadTexts();
  return module;
}

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test.each([
  [['de-CH', 'en'], 'de-CH'],
  [['fr', 'de'], 'de'],
  [['en-GB', 'de'], 'en-GB'],
  [['den', 'fr'], 'en'],
  [[], 'en'],
])('of the languages %j the dashboard speaks %s', async (languages, locale) => {
  expect((await languageOf(...languages)).locale).toBe(locale);
});

test('a German text has its form for one and for others, and numbers as German writes them', async () => {
  const { numberText, plural, t } = await languageOf('de');
  const items = (count: number) => plural(count, '1 item', '{count} items');
  expect([0, 1, 2, 1_200].map(items)).toEqual(['0 Einträge', '1 Eintrag', '2 Einträge', '1.200 Einträge']);
  expect(t('Version {version}', { version: '1.2' })).toBe('Version 1.2');
  expect(numberText(0.5, 2)).toBe('0,50');
});

test('elements stand in the places that a language gives them, and values are no places themselves', async () => {
  const { t } = await languageOf('en');
  const bold = (words: unknown) => ({ bold: words }) as never;
  expect(t('See <link>all {count}</link>.', { link: bold, count: 3 })).toEqual([
    'See ',
    { bold: 'all 3' },
    '.',
  ]);
  expect(t('{name}, {other}', { name: '{other}', other: '<b>' })).toBe('{other}, <b>');
});
