import { wordsOfPath } from '../passages/item-fields.ts';
import { tellingWeight } from '../ranking/missing-words.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { pairShare } from '../ranking/term-sequences.ts';
import { isMet, partMet } from '../ranking/wanted-terms.ts';
import type { Span } from '../text/sentences.ts';
import type { Findings } from '../views/view-index.ts';
import { answerKindOf, hasFormOf } from './answer-kind.ts';
import type { FoundSpan, Section } from './sections.ts';
import { type Unit, unitsOf } from './units.ts';

/**
 * How much each sign says, beside the score of the passage relative to the best one: the share of the question's weight
 * that a unit has together with all that stands above it; the share that it has without title and headings; the share of
 * the question's pairs of neighbouring words; the form of what is asked for; taken
 * off, that it is code where none is asked for, which has words and figures by chance. With `steepness` they are the
 * coefficients of a conditional logit for "this unit has the answer", fitted on half of squad-a's articles and rounded;
 * that of code, which these articles have none of, is a guess.
 */
const weights = { covered: 0.5, added: 0.5, pairs: 0.65, form: 0.25, code: 0.4 };
const steepness = 5.5;
/** Of a form that only a heading has, or what the unit stands under. */
const partOfFormAbove = 0.5;

/** Words of which a heading has this part of the question's weight tell what the section below it is about. */
const minPartOfFocus = 0.6;
/** So few words say nothing by themselves, unless they are asked for or have the form of what is. */
const maxWordsOfFragment = 3;
/** Nor does what announces something that is not there. */
const announcesOnly = /[:：]\s*$/;
const scoreOfFragment = -0.5;

/** A unit and what speaks for its having the answer. */
export interface Candidate extends Unit {
  section: Section;
  hit: ScoredPassage;
  /** How likely it has the answer; comparable among the candidates of one answer. 0 for parts of passages that were not found. */
  likelihood: number;
  /** Whether title and headings above it are what is asked for, so that its section is the answer. */
  isInFocus: boolean;
  /** Words of the question that it has, with what it stands under. */
  asked: ReadonlySet<number>;
}

/** All that may be quoted of a section, in order. */
export function candidatesIn(section: Section, findings: Findings): Candidate[] {
  const { score, isInFocus } = scoringIn(section, findings);
  return unitsOf(section.text).map((unit): Candidate => {
    const place = section.found.find(({ start, end }) => unit.start < end && unit.end > start);
    const { hit } = place ?? (section.found[0] as FoundSpan);
    // Neighbours that were not found are shown with what they belong to, and not for themselves.
    if (!place) return { ...unit, section, hit, likelihood: 0, isInFocus, asked: new Set() };
    const { sum, asked } = score(unit, hit);
    return { ...unit, section, hit, likelihood: Math.exp(steepness * sum), isInFocus, asked };
  });
}

/** Returns the terms of a passage's context: title, headings, fields of its item, and its path. */
function termsOfHead({ terms, headLength, passage }: ScoredPassage, numbersOf: Findings['numbersOf']) {
  return [...terms.subarray(0, headLength), ...numbersOf(wordsOfPath(passage.rowKey), passage.language)];
}

/** Makes what scores units of a section, from 0 to about 3, with the words of the question that they have. */
function scoringIn({ text, found: [first] }: Section, { question, wanted, numbersOf, passages }: Findings) {
  const kind = answerKindOf(question);
  const bestScore = passages[0]?.score ?? 1;
  const weighted = wanted.telling.map((term) => ({ term, weight: tellingWeight(term) }));
  const weigh = (terms: ReadonlySet<number>) =>
    weighted.reduce((sum, { term, weight }) => sum + weight * partMet(term, terms), 0);
  const askedOf = (terms: ReadonlySet<number>) =>
    new Set(wanted.telling.filter((term) => isMet(term, terms)).map(({ number }) => number));
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const { title = '', headings = [], language } = first?.hit.passage ?? {};
  const headingText = [title, ...headings].join('\n');
  const above = new Set(first === undefined ? [] : termsOfHead(first.hit, numbersOf));
  const formAbove = hasFormOf(kind, headingText) ? partOfFormAbove : 0;
  const words = ({ start, end }: Span) => text.slice(start, end);
  /** By the place where they begin: many units stand under the same words. */
  const known = new Map<number, number[]>();
  const termsAbove = (span: Span) => {
    const terms = known.get(span.start) ?? numbersOf(words(span), language);
    known.set(span.start, terms);
    return terms;
  };

  /** Whether it is one of several things behind words that name what is asked for. */
  const isAnnounced = ({ series: { kind: form, parts, under } }: Unit) =>
    form !== 'prose' &&
    form !== 'quote' &&
    form !== 'code' &&
    parts.length > 1 &&
    askedOf(new Set(under.flatMap(termsAbove))).size > 0;
  const formOf = (unit: Unit) => {
    if (kind === 'list' && isAnnounced(unit)) return 1;
    return hasFormOf(kind, words(unit)) ? 1 : formAbove;
  };

  const isInFocus = weigh(above) >= minPartOfFocus * total;
  const isFragment = (unit: Unit, own: readonly number[]) =>
    unit.layout === 'sentence' &&
    (announcesOnly.test(words(unit)) ||
      (wordCount(words(unit)) <= maxWordsOfFragment &&
        askedOf(new Set(own)).size === 0 &&
        !hasFormOf(kind, words(unit))));

  const score = (unit: Unit, hit: ScoredPassage) => {
    const own = numbersOf(words(unit), language);
    const terms = [...unit.under.flatMap(termsAbove), ...own];
    const present = new Set(terms);
    const asked = askedOf(present);
    const added = weigh(present);
    const covered = weigh(present.union(above));
    const isCode = unit.series.kind === 'code' && kind !== 'steps' && kind !== 'other';
    const form = isCode ? 0 : formOf(unit);
    const sum =
      hit.score / bestScore +
      (weights.covered * covered + weights.added * added) / total +
      weights.pairs * pairShare(wanted.pairs, terms) +
      weights.form * form -
      (isCode ? weights.code : 0) +
      (isFragment(unit, own) ? scoreOfFragment : 0);
    return { sum, asked };
  };
  return { score, isInFocus };
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
}
