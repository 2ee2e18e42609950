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
