import { AppError } from '@teammemory/errors/app-error.ts';
import type { TokenUsage } from './usage-store.ts';

/** Amounts are whole micro-dollars: sums of them are exact, which those of fractions of a dollar are not. */
export const microDollarsPerDollar = 1_000_000;
/** Seven digits before the point: every sum of such amounts that a day can bring stays an exact number. */
const decimalPattern = /^(\d{1,7})(?:\.(\d{1,6}))?$/;

/**
 * Reads a decimal amount of US dollars, at most 9999999.999999, as micro-dollars
 * without rounding; undefined for anything else.
 */
export function microDollarsFrom(decimal: string): number | undefined {
  const [, whole, fraction = ''] = decimalPattern.exec(decimal) ?? [];
  return whole === undefined
    ? undefined
    : Number(whole) * microDollarsPerDollar + Number(fraction.padEnd(6, '0'));
}

/**
 * List prices of well-known models in US dollars per million tokens, uncached,
 * standard tier. Embedding models have no output. Snapshots with a date in
 * their name are not listed: some cost more than the model's present version.
 * Last compared with what was published on 2026-03-31.
 */
export const builtInPrices: Readonly<Record<string, { input: number; output?: number }>> = {
  'gpt-5.4': { input: 2.5, output: 15 },
  'gpt-5.4-mini': { input: 0.75, output: 4.5 },
  'gpt-5.4-nano': { input: 0.2, output: 1.25 },
  'gpt-5.2': { input: 1.75, output: 14 },
  'gpt-5.1': { input: 1.25, output: 10 },
  'gpt-5': { input: 1.25, output: 10 },
  'gpt-5-mini': { input: 0.25, output: 2 },
  'gpt-5-nano': { input: 0.05, output: 0.4 },
  'gpt-4.1': { input: 2, output: 8 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4 },
  'gpt-4o': { input: 2.5, output: 10 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
  'gpt-3.5-turbo': { input: 0.5, output: 1.5 },
  o3: { input: 2, output: 8 },
  'o3-mini': { input: 1.1, output: 4.4 },
  'o4-mini': { input: 1.1, output: 4.4 },
  'text-embedding-3-large': { input: 0.13 },
  'text-embedding-3-small': { input: 0.02 },
  'text-embedding-ada-002': { input: 0.1 },
};

/** Far more than the models of one installation; what is longer is a mistake. */
const maxTextCharacters = 65_536;
const maxModels = 500;
const maxModelNameCharacters = 200;

/** Price of a model in whole micro-dollars per million tokens. */
export interface ModelPrice {
  input: number;
  /** Undefined for embedding models, which write nothing. */
  output: number | undefined;
}

/** Prices of models by name. */
export interface Prices {
  /**
   * The price of a model that writes.
   * @throws AppError `invalid_request` with one sentence for people where the
   * price of its input or output is not known.
   */
  ofWriting(model: string): ModelPrice & { output: number };
  /** The price of a model that reads only. @throws AppError as above. */
  ofReading(model: string): ModelPrice;
}

/**
 * The built-in prices, with those of the setting MODEL_PRICES in their place or
 * beside them: `{"<model>": {"input": 1.5, "output": 6}}`, US dollars per
 * million tokens, at most six decimals, `output` left out for embedding models.
 *
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function createPrices(modelPrices: string | undefined): Prices {
  const prices = new Map(Object.entries(builtInPrices).map(([model, price]) => [model, priceFrom(price)]));
  for (const [model, price] of givenPrices(modelPrices)) prices.set(model, price);

  function known(model: string): ModelPrice {
    const price = prices.get(model);
    if (price !== undefined) return price;
    throw unknownPrice(model, `The price of the model ${model}`);
  }

  return {
    ofReading: known,
    ofWriting(model) {
      const { input, output } = known(model);
      if (output !== undefined) return { input, output };
      throw unknownPrice(model, `The price of what the model ${model} writes`);
    },
  };
}

/**
 * Returns the cost of a call in whole micro-dollars: the exact sum, rounded up once. Numbers of tokens must be safe
 * integers.
 */
export function costOf({ input, output }: ModelPrice, { inputTokens, outputTokens }: TokenUsage): number {
  const millionths = BigInt(inputTokens) * BigInt(input) + BigInt(outputTokens) * BigInt(output ?? 0);
  return Number((millionths + 999_999n) / 1_000_000n);
}

function givenPrices(text: string | undefined): [string, ModelPrice][] {
  if (text === undefined) return [];
  try {
    if (text.length > maxTextCharacters) throw new RangeError('too long');
    const models = Object.entries(recordFrom(JSON.parse(text)));
    if (models.length > maxModels) throw new RangeError('too many models');
    return models.map(([model, price]) => [modelName(model), priceFrom(recordFrom(price))]);
  } catch (cause) {
    const rule = `JSON such as {"<model>":{"input":1.5,"output":6}}: US dollars per million tokens, at most six decimals`;
    throw new AppError('invalid_request', `Bad setting: MODEL_PRICES must be ${rule}.`, { cause });
  }
}

function recordFrom(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new TypeError('not an object');
}

function modelName(name: string): string {
  if (name !== '' && name.length <= maxModelNameCharacters) return name;
  throw new RangeError('not the name of a model');
}

function priceFrom({ input, output, ...others }: Record<string, unknown>): ModelPrice {
  if (Object.keys(others).length > 0) throw new TypeError('not a price');
  return { input: perMillion(input), output: output === undefined ? undefined : perMillion(output) };
}

/** The shortest decimal of the number is what the operator wrote, so this is exact. */
function perMillion(value: unknown): number {
  const amount = typeof value === 'number' ? microDollarsFrom(String(value)) : undefined;
  if (amount === undefined) throw new TypeError('not an amount');
  return amount;
}

function unknownPrice(model: string, what: string): AppError {
  const example = `{${JSON.stringify(model)}:{"input":1.5,"output":6}}`;
  return new AppError(
    'invalid_request',
    `${what} is not known: set MODEL_PRICES, in US dollars per million tokens, such as ${example}.`,
  );
}
