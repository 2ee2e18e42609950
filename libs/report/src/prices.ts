import type { Tokens } from './session-event.ts';

/** The day on which these prices were list prices. */
export const pricesOf = '2025-12-01';

interface Price {
  /** US dollars for a million tokens. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

const price = (input: number, cacheRead: number, cacheWrite: number, output: number): Price => {
  return { input, cacheRead, cacheWrite, output };
};

/** By the beginning of the name of a model; the first that fits counts. */
const prices: readonly [beginning: RegExp, price: Price][] = [
  [/^claude-opus-4-[5-9]/, price(5, 0.5, 6.25, 25)],
  [/^claude-(?:opus-4|3-opus)/, price(15, 1.5, 18.75, 75)],
  [/^claude-(?:sonnet-4|3-7-sonnet|3-5-sonnet)/, price(3, 0.3, 3.75, 15)],
  [/^claude-haiku-4-5/, price(1, 0.1, 1.25, 5)],
  [/^claude-3-5-haiku/, price(0.8, 0.08, 1, 4)],
  [/^gpt-5(?:\.1)?(?:-codex(?:-max)?)?$/, price(1.25, 0.125, 1.25, 10)],
  [/^gpt-5(?:\.1)?(?:-codex)?-mini/, price(0.25, 0.025, 0.25, 2)],
  [/^gemini-2\.5-pro/, price(1.25, 0.125, 1.25, 10)],
  [/^gemini-2\.5-flash(?!-lite)/, price(0.3, 0.03, 0.3, 2.5)],
];

/** Returns what an answer cost, in US dollars by list prices; undefined for a model whose price is not known. */
export function costOf(model: string, { input, cacheRead, cacheWrite, output }: Tokens): number | undefined {
  const name = model.toLowerCase().replace(/^[\w.-]+\//, '');
  const known = prices.find(([beginning]) => beginning.test(name))?.[1];
  if (known === undefined) return undefined;
  const million = 1_000_000;
  const sum =
    (input ?? 0) * known.input +
    cacheRead * known.cacheRead +
    cacheWrite * known.cacheWrite +
    output * known.output;
  return sum / million;
}
