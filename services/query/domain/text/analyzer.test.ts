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

test('the fast pattern for ASCII finds what the Unicode pattern finds', () => {
  const text = "It's 3.14 o'clock: snake_case, camelCase & a/b\\c-d 'quoted' x'y'z __init__ 1,024";
  expect([...analyze(text), 'é']).toEqual([...analyze(`${text} É`).slice(0, -1), 'é']);
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

test('a run without end becomes one term of bounded length', () => {
  const [term, ...others] = analyze('q'.repeat(1_000_000));
  expect(term?.length).toBeLessThanOrEqual(64);
  expect(others).toEqual([]);
});
