import { isMet } from '../ranking/wanted-terms.ts';
import type { Findings } from '../views/view-index.ts';
import { answerKindOf, hasFormOf } from './answer-kind.ts';
import type { Candidate } from './candidates.ts';

/** A part of the question's weight that a heading says and what is quoted does not, from which on the heading is shown. */
const minPartOfQuestion = 0.2;
/** A date or the number of a version, by which the entries of a log are told apart. */
const entryMark = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|(?<!\d)\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)|\d+\.\d+\.\d+/;

/**
 * The headings without which quotes of one section are not understood,
 * outermost first, with ` › ` between them: those that say much of what is
 * asked for and is not said by the quotes, those that tell the entry of a log,
 * and the last one where it alone has the form of what is asked for, a date for
 * example. Empty where the quotes say it all.
 */
export function headingFor(units: readonly Candidate[], { question, wanted, numbersOf }: Findings): string {
  const [first] = units;
  if (first === undefined) return '';
  const { title, headings, language } = first.hit.passage;
  const spans = units.flatMap((unit) => [...unit.under, unit]);
  const words = spans.map(({ start, end }) => first.section.text.slice(start, end)).join('\n');
  const said = new Set(numbersOf(words, language));
  const total = wanted.telling.reduce((sum, { weight }) => sum + weight, 0);
  const kind = answerKindOf(question);
  const isFact = (kind === 'time' || kind === 'person' || kind === 'place') && !hasFormOf(kind, words);
  const path = [...new Set([title, ...headings])];
  const needed = path.filter((heading, depth) => {
    const terms = new Set(numbersOf(heading, language));
    const adds = wanted.telling.filter((term) => isMet(term, terms) && !isMet(term, said));
    const weight = adds.reduce((sum, term) => sum + term.weight, 0);
    const isEntry = depth > 0 && entryMark.test(heading);
    const isAnswer = isFact && depth > 0 && depth === path.length - 1 && hasFormOf(kind, heading);
    // What a decision is called is what was decided.
    const isDecision =
      depth === 0 && first.hit.passage.kind === 'decision' && [...terms].some((term) => !said.has(term));
    const isNeeded = isEntry || isAnswer || isDecision || weight > minPartOfQuestion * total;
    if (isNeeded) for (const term of terms) said.add(term);
    return isNeeded;
  });
  return needed.join(' › ');
}
