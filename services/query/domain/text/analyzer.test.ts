import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';

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
    expect(analyze(text), JSON.stringify(text)).toEqual(words.flatMap(analyze));
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

test('a run without end becomes one term of bounded length', () => {
  const [term, ...others] = analyze('q'.repeat(1_000_000));
  expect(term?.length).toBeLessThanOrEqual(64);
  expect(others).toEqual([]);
});
