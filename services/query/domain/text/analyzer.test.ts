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

test('the fast pattern for ASCII finds what the Unicode pattern finds', () => {
  const text = "It's 3.14 o'clock: snake_case, camelCase & a/b\\c-d 'quoted' x'y'z __init__ 1,024";
  expect([...analyze(text), 'é']).toEqual([...analyze(`${text} É`).slice(0, -1), 'é']);
});

test('a run without end becomes one term of bounded length', () => {
  const [term, ...others] = analyze('q'.repeat(1_000_000));
  expect(term?.length).toBeLessThanOrEqual(64);
  expect(others).toEqual([]);
});
