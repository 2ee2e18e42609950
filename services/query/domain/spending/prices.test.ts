import { describe, expect, test } from 'vitest';
import { builtInPrices, costOf, createPrices, microDollarsFrom } from './prices.ts';

test.each([
  ['0', 0],
  ['5', 5_000_000],
  ['0.1', 100_000],
  ['0.29', 290_000],
  ['1.000001', 1_000_001],
  ['0.000001', 1],
  ['9999999.999999', 9_999_999_999_999],
  ['007', 7_000_000],
])('%s dollars are exactly %i micro-dollars', (decimal, amount) => {
  expect(microDollarsFrom(decimal)).toBe(amount);
});

test.each(['', '-1', '+1', '.5', '5.', '1e3', '0.0000001', '10000000', '1,5', ' 1', 'NaN', '١'])(
  '%o is no amount',
  (text) => {
    expect(microDollarsFrom(text)).toBeUndefined();
  },
);

describe('prices', () => {
  test('well-known models have theirs, exactly', () => {
    const prices = createPrices(undefined);
    expect(prices.ofWriting('gpt-4o-mini')).toEqual({ input: 150_000, output: 600_000 });
    expect(prices.ofReading('text-embedding-3-small')).toEqual({ input: 20_000, output: undefined });
  });

  test('every built-in price can be read without rounding', () => {
    const prices = createPrices(undefined);
    for (const [model, { input, output }] of Object.entries(builtInPrices)) {
      const price = prices.ofReading(model);
      expect(price.input / 1e6, model).toBe(input);
      expect(price.output === undefined ? undefined : price.output / 1e6, model).toBe(output);
    }
  });

  test('MODEL_PRICES adds models and overrides known ones, whatever their names', () => {
    const own =
      '{"own":{"input":1.5,"output":6},"gpt-4o":{"input":0,"output":0},"__proto__":{"input":0.000001}}';
    const prices = createPrices(own);
    expect(prices.ofWriting('own')).toEqual({ input: 1_500_000, output: 6_000_000 });
    expect(prices.ofWriting('gpt-4o')).toEqual({ input: 0, output: 0 });
    expect(prices.ofReading('__proto__')).toEqual({ input: 1, output: undefined });
    expect(prices.ofReading('gpt-4.1')).toMatchObject({ input: 2_000_000 });
  });

  test.each(['unknown', 'toString', '__proto__', ''])('the model %o without a price is refused', (model) => {
    const prices = createPrices(undefined);
    expect(() => prices.ofReading(model)).toThrow(
      `The price of the model ${model} is not known: set MODEL_PRICES`,
    );
    expect(() => prices.ofWriting(model)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('a model whose output has no price may read, but not write', () => {
    const prices = createPrices('{"own":{"input":1}}');
    expect(prices.ofReading('own').input).toBe(1_000_000);
    expect(() => prices.ofWriting('own')).toThrow('The price of what the model own writes is not known');
  });

  test.each([
    'no json',
    'null',
    '[]',
    '1',
    '{"a":1}',
    '{"a":[]}',
    '{"a":{}}',
    '{"":{"input":1}}',
    '{"a":{"output":1}}',
    '{"a":{"input":"1"}}',
    '{"a":{"input":-1}}',
    '{"a":{"input":1e-7}}',
    '{"a":{"input":1e30}}',
    '{"a":{"input":1,"output":null}}',
    '{"a":{"input":1,"Output":1}}',
    `{"${'a'.repeat(201)}":{"input":1}}`,
    `{"a":{"input":1}}${' '.repeat(65_536)}`,
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`m${index}`, { input: 1 }])),
    ),
  ])('MODEL_PRICES that is something else is refused without repeating it', (text) => {
    const rule = '{"<model>":{"input":1.5,"output":6}}: US dollars per million tokens, at most six decimals';
    expect(() => createPrices(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `Bad setting: MODEL_PRICES must be JSON such as ${rule}.`,
      }),
    );
  });
});

test('a cost is the exact sum, rounded up once to whole micro-dollars', () => {
  const price = { input: 150_000, output: 600_000 };
  expect(costOf(price, { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toBe(750_000);
  expect(costOf(price, { inputTokens: 0, outputTokens: 0 })).toBe(0);
  expect(costOf(price, { inputTokens: 1, outputTokens: 0 })).toBe(1);
  expect(costOf(price, { inputTokens: 4, outputTokens: 4 })).toBe(3);
  expect(costOf(price, { inputTokens: 7, outputTokens: 0 })).toBe(2);
  expect(costOf({ input: 0, output: 0 }, { inputTokens: 1e9, outputTokens: 1e9 })).toBe(0);
  // 3 x 9007199254740991 millionths: beyond what a double adds up exactly.
  expect(costOf({ input: 9_007_199_254_740_991, output: 0 }, { inputTokens: 3, outputTokens: 0 })).toBe(
    27_021_597_765,
  );
});
