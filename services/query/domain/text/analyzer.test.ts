import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';
import { languages } from './languages.ts';

test.for([
  ['Running the Databases', ['run', 'the', 'databas']],
  ['maxBodyBytes', ['max', 'bodi', 'byte', 'maxbodybyt']],
  ['MAX_BODY_BYTES', ['max', 'bodi', 'byte', 'maxbodybyt']],
  ['HTTPServer', ['http', 'server', 'httpserver']],
  ['libs/rpc/src/rpc-server.ts', ['lib', 'rpc', 'src', 'rpc', 'server', 'ts']],
  ["the team's keys don't expire", ['the', 'team', 'key', 'dont', 'expir']],
  ['the team’s café – naïve', ['the', 'team', 'cafe', 'naiv']],
  ['größe_wert', ['große', 'wert', 'großewert']],
  ['ﬁle ＡＢＣ', ['file', 'abc']],
  ['Привет, мир 42', ['привет', 'мир', '42']],
  ['東京都の人口', ['東京', '都', 'の', '人口']],
  ['研究所的计划', ['研究', '究所', '研究所', '的', '计划']],
  ['!?… — 🙂', []],
  ['', []],
] as const)('%j gives %j', ([text, terms]) => {
  expect(analyze(text)).toEqual(terms);
});

test('a word is found in whatever form it is written', () => {
  for (const [one, other] of [
    ['CAFÉ', 'cafe\u0301'],
    ['connection', 'Connected'],
    ['rateLimit', 'RATE_LIMIT'],
  ] as const) {
    expect(analyze(other).at(-1)).toBe(analyze(one).at(-1));
  }
});

/** Words as they are written down in Unicode's classes; what finds them reads character by character. */
const wordPattern = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’]\p{L}+)*/gu;

test('words are letters, marks and numbers of any script, with apostrophes between letters', () => {
  const random = seededRandom(3);
  const characters = [..."ab7_''’’  .-éß\u0301ЖΩ٣一かก\u0e31ﬁ𝐀𝟘😀\u{1e8d0}\ud835\udc00"];
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 12 }, () => characters[random.integerBelow(characters.length)]).join(
      '',
    );
    const words = text.match(wordPattern) ?? [];
    expect(analyze(text), JSON.stringify(text)).toEqual(words.flatMap((word) => analyze(word)));
    // Alone each word is one, so that the two sides cannot agree by finding none.
    for (const word of words) expect(analyze(`${word}\ud800`)).toEqual(analyze(word));
  }
});

test('what is remembered of words does not change what they give, however many there are', () => {
  const words = (first: number) => Array.from({ length: 40_000 }, (_, place) => `w${first + place}s`);
  const before = analyze('running maxBodyBytes naïve');
  expect(analyze(words(0).join(' '))).toEqual(words(0));
  expect(analyze(words(30_000).join(' '))).toEqual(words(30_000));
  expect(analyze('running maxBodyBytes naïve')).toEqual(before);
  expect(before).toEqual(['run', 'max', 'bodi', 'byte', 'maxbodybyt', 'naiv']);
});

test.for([
  ['de', 'Die Größe der Rechnungen', ['die', 'gross', 'der', 'rechnung']],
  ['de', 'Kündigungsfristen', ['kundigungsfrist']],
  ['fr', 'l’équipe a remboursé les dépenses', ['equip', 'a', 'rembours', 'le', 'depens']],
  ['it', "dell'ufficio", ['uffic']],
  ['es', 'copias de seguridad', ['copi', 'de', 'segur']],
  ['nl', 'maxBodyBytes', ['max', 'body', 'bytes', 'maxbodybytes']],
  ['pl', 'Urlopy 2026', ['urlopy', '2026']],
  ['fr', '研究所的计划', ['研究', '究所', '研究所', '的', '计划']],
] as const)('in %s %j gives %j', ([language, text, terms]) => {
  expect(analyze(text, language)).toEqual(terms);
});

test('all languages cut a text at the same places', () => {
  const text = "l'été, MAX_BODY_BYTES & größe_wert: 42 İstanbul дом 東京都";
  for (const language of languages) expect(analyze(text, language)).toHaveLength(analyze(text).length);
});

test('a word has the terms of each language, whichever it was met in before', () => {
  const words = ['rechnungen', 'running', 'maxBodyBytes', "l'équipe"];
  const inTurn = languages.map((language) => words.map((word) => analyze(word, language)));
  const together = languages.map((language) => analyze(words.join(' '), language));
  expect(together).toEqual(inTurn.map((terms) => terms.flat()));
  expect(analyze('rechnungen running', 'de')).toEqual(['rechnung', 'running']);
  expect(analyze('rechnungen running')).toEqual(['rechnungen', 'run']);
});

test('a run without end becomes one term of bounded length', () => {
  const [term, ...others] = analyze('q'.repeat(1_000_000));
  expect(term?.length).toBeLessThanOrEqual(64);
  expect(others).toEqual([]);
});

test('terms have letters, marks, numbers and underscores alone, whatever compatibility forms are made of', () => {
  const hostile = ['ﷻ', 'ͺa', 'ﱞb', '⑴', '⒈', '🄁', `x${'𐌰'.repeat(40)}`, `y${'𐌰'.repeat(31)}𐌰`, '㍿', 'ẛ̣'];
  for (const text of [...hostile, hostile.join(''), hostile.join(' ')])
    for (const language of ['en', 'de', 'fr'] as const)
      for (const term of analyze(text, language)) {
        expect(term).toMatch(/^[\p{L}\p{M}\p{N}_]+$/u);
        expect(term.isWellFormed()).toBe(true);
      }
});
