import { AppError } from '@teammemory/errors/app-error.ts';
import { microDollarsFrom } from './micro-dollars.ts';
import { builtInPrices } from './prices-built-in.ts';
import type { TokenUsage } from './usage.ts';

/** Far more than the models of one installation; what is longer is a mistake. */
const textMaxCharacters = 65_536;
const modelsMax = 500;
const modelNameMaxCharacters = 200;

/** What a model costs, in micro-dollars per million tokens: whole numbers. */
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
 * What a call costs, in whole micro-dollars: the exact sum, rounded up once.
 * Numbers of tokens must be safe integers.
 */
export function costOf({ input, output }: ModelPrice, { inputTokens, outputTokens }: TokenUsage): number {
  const millionths = BigInt(inputTokens) * BigInt(input) + BigInt(outputTokens) * BigInt(output ?? 0);
  return Number((millionths + 999_999n) / 1_000_000n);
}

function givenPrices(text: string | undefined): [string, ModelPrice][] {
  if (text === undefined) return [];
  try {
    if (text.length > textMaxCharacters) throw new RangeError('too long');
    const models = Object.entries(recordFrom(JSON.parse(text)));
    if (models.length > modelsMax) throw new RangeError('too many models');
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
  if (name !== '' && name.length <= modelNameMaxCharacters) return name;
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
