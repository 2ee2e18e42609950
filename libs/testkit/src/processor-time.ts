import { type MarkdownShape, markdownOf } from './markdown-grammar.ts';

/**
 * Returns the processor time of this thread that some work takes, in milliseconds. Unlike wall time, it does not
 * depend on what else the machine is doing.
 */
export function processorMilliseconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The factor by which the time may grow when the text doubles. */
const maxFactorPerDoubling = 2.5;
/** A text is compared with a quarter of it, which is two doublings: noise matters less than over one. */
const doublings = 2;
/** A shape is measured this often before it counts as growing too fast. */
const measurements = 4;
/** Work is repeated until it took this long, because the system counts processor time in steps of some milliseconds. */
const measuredMs = 40;
/** Work that takes less per character, or less in all, is not measured again. Ordinary text takes a fraction of this. */
const suspicious = { microseconds: 0.2, atLeastMs: 8 };

/** The result of measuring many shapes. */
export interface GrowthReport {
  checked: number;
  /** Longest processor time of one text, in milliseconds. */
  slowestMs: number;
  /** Shapes whose time grows by more than 2.5 when the text doubles, each with its factor. */
  tooFast: string[];
}

/**
 * Runs `work` on a text of each shape until `withinMs` is over, and returns the shapes for which its time is not
 * linear in the length of the text. It compares the processor time of a text with that of a quarter of it, and
 * measures a shape that seems to grow too fast four times before it counts.
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
    for (let count = 0; count < measurements && factor > maxFactorPerDoubling; count += 1) {
      factor = Math.min(factor, (timeOf(work, whole) / timeOf(work, quarter)) ** (1 / doublings));
    }
    if (factor > maxFactorPerDoubling) report.tooFast.push(`${factor.toFixed(2)} ${JSON.stringify(shape)}`);
  }
  return report;
}

/** Returns the processor time of one run: the mean of as many runs as a measurement needs. */
function timeOf(work: (text: string) => unknown, text: string): number {
  let times = 0;
  let tookMs = 0;
  for (; tookMs < measuredMs; times += 1) tookMs += processorMilliseconds(() => work(text));
  return tookMs / times;
}
