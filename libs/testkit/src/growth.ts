import { type MarkdownShape, markdownOf } from './markdown-grammar.ts';
import { processorMilliseconds } from './processor-milliseconds.ts';

/** What twice the text may take more, as a factor. */
const doublingMax = 2.5;
/** A text is compared with one of four times its length, two doublings, in which noise matters less. */
const doublings = 2;
/** How often a shape is looked at before it is said to grow too fast. */
const looks = 4;
/** Work is repeated until it took so long: processor time is told in steps of some milliseconds. */
const measuredMs = 40;
/** What takes less a character, or less in all, is not looked at again: many times what ordinary text takes. */
const suspicious = { microseconds: 0.2, atLeastMs: 8 };

/** What came of looking at many shapes. */
export interface GrowthReport {
  checked: number;
  /** Longest time that one text took, milliseconds of processor time. */
  slowestMs: number;
  /** Shapes of which twice the text takes more than 2.5 times as long, with the factor. */
  tooFast: string[];
}

/**
 * Runs work on texts of each shape for some time, and returns those at which
 * it is not linear: the processor time of a text compared with that of a quarter
 * of it. What is slow and grows too fast is looked at four times before it counts.
 */
export function growthOf(
  work: (text: string) => unknown,
  shapes: Iterable<MarkdownShape>,
  options: { characters: number; withinMs: number },
): GrowthReport {
  const { characters, withinMs } = options;
  const report: GrowthReport = { checked: 0, slowestMs: 0, tooFast: [] };
  const endMs = performance.now() + withinMs;
  const suspiciousMs = Math.max(suspicious.atLeastMs, (characters * suspicious.microseconds) / 1_000);
  for (const shape of shapes) {
    if (performance.now() > endMs) break;
    report.checked += 1;
    const whole = markdownOf(shape, characters);
    const tookMs = processorMilliseconds(() => work(whole));
    report.slowestMs = Math.max(report.slowestMs, tookMs);
    if (tookMs < suspiciousMs) continue;
    const quarter = markdownOf(shape, characters / 2 ** doublings);
    let factor = Number.POSITIVE_INFINITY;
    for (let look = 0; look < looks && factor > doublingMax; look += 1) {
      factor = Math.min(factor, (timeOf(work, whole) / timeOf(work, quarter)) ** (1 / doublings));
    }
    if (factor > doublingMax) report.tooFast.push(`${factor.toFixed(2)} ${JSON.stringify(shape)}`);
  }
  return report;
}

/** Processor time of one run, the mean of as many as it takes to tell. */
function timeOf(work: (text: string) => unknown, text: string): number {
  let times = 0;
  let tookMs = 0;
  for (; tookMs < measuredMs; times += 1) tookMs += processorMilliseconds(() => work(text));
  return tookMs / times;
}
