import { share } from './evaluate.ts';
import { type Half, isAnswerable, type Verdict } from './team-memory.ts';

/** Figures over some questions; shares are 0 to 1, undefined where there was nothing to measure. */
export interface MemoryFigures {
  questions: number;
  /** Of the questions that something answers: the answer contains what it must. */
  contained: number | undefined;
  /** The same, and nothing that it must not contain. */
  containedClean: number | undefined;
  /** One of the right sources is cited. */
  rightSource: number | undefined;
  /** The first source is a right one. */
  firstSource: number | undefined;
  /** What it must contain stands in the first 300 characters. */
  early: number | undefined;
  /** As of `Verdict.isReadable`. */
  readable: number | undefined;
  wronglyRefused: number | undefined;
  /** Of the questions that nothing answers: refused, or begun with what is not mentioned. */
  rightlyRefused: number | undefined;
  /** Characters of the answers to questions that something answers, in the median. */
  medianLength: number | undefined;
}

/** Figures of both halves, each by kind of question and over all kinds. */
export type MemoryReport = Record<Half, Record<string, MemoryFigures>>;

/** Sums up verdicts; kinds stand in the order of their names, `all` last. */
export function memoryReport(verdicts: readonly Verdict[]): MemoryReport {
  const of = (half: Half) => {
    const ofHalf = verdicts.filter(({ question }) => question.half === half);
    const kinds = [...new Set(ofHalf.map(({ question }) => question.kind))].sort();
    const byKind = kinds.map((kind) => [
      kind,
      figuresOf(ofHalf.filter((each) => each.question.kind === kind)),
    ]);
    return { ...Object.fromEntries(byKind), all: figuresOf(ofHalf) };
  };
  return { seen: of('seen'), kept: of('kept') };
}

function figuresOf(verdicts: readonly Verdict[]): MemoryFigures {
  const answerable = verdicts.filter(({ question }) => isAnswerable(question));
  const others = verdicts.filter(({ question }) => !isAnswerable(question));
  const lengths = answerable.map(({ answer }) => answer.length).sort((left, right) => left - right);
  return {
    questions: verdicts.length,
    contained: share(answerable, ({ contained }) => contained),
    containedClean: share(answerable, ({ contained, clean }) => contained && clean),
    rightSource: share(
      answerable.filter(({ question }) => question.sources.length > 0),
      ({ rightSource }) => rightSource,
    ),
    firstSource: share(
      answerable.filter(({ question }) => question.sources.length > 0),
      ({ firstSource }) => firstSource,
    ),
    early: share(answerable, ({ isEarly }) => isEarly),
    readable: share(answerable, ({ isReadable }) => isReadable),
    wronglyRefused: share(answerable, ({ sources }) => sources.length === 0),
    rightlyRefused: share(others, ({ refused }) => refused),
    medianLength: lengths[Math.floor(lengths.length / 2)],
  };
}
