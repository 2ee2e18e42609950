import { type Answer, type ClosestNote, type Source, sourceOf } from '../citations/answer.ts';
import { withoutReferences } from '../citations/citation-reference.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { publicKeyOf } from '../passages/passage.ts';
import type { MissingWord } from '../ranking/missing-words.ts';
import { relevanceOf } from '../ranking/relevance.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Findings } from '../views/search-view.ts';
import { chooseThoughts } from './choosing-thoughts.ts';
import { withFieldLines } from './field-lines.ts';
import { shownForTheirTime, shownPart, timeMark, withoutMarks, withTableHead } from './showing.ts';

/** Longer words of a question are shortened where they are repeated. */
const maxWordLength = 40;
const maxClosest = 3;
/** Titles are a line; front matter may hold a longer one. */
const maxTitleLength = 200;

/**
 * Returns at most three passages in search's order, each as it was written under its title and heading, followed by its
 * citation; a part for each. Bracketed numbers in a passage become `(12)`, so that every `[n]` is a citation; other markup
 * is made inert, unless it is wanted. What the question names and no note mentions is said first. Where nothing answers,
 * the answer says so and names the closest notes, and repeats nothing of the question.
 */
export function extractiveAnswer(
  findings: Findings,
  markup: AnswerMarkup = 'inert',
  { passages, missing } = relevanceOf(findings),
): Answer {
  const { hits, findings: asked } = withFieldLines(shownForTheirTime(passages), findings);
  const shown = chooseThoughts(hits, asked).map((each) => withTableHead(each, asked));
  if (shown.length === 0) return refusal(closestNotes(findings.passages), markup);
  const sources = new Map<string, Source>();
  for (const { hit, thought } of shown) {
    const { rowKey } = hit.passage;
    if (!sources.has(rowKey)) sources.set(rowKey, { ...sourceOf(hit.passage), quote: thought.quote });
  }
  const numbers = [...sources.keys()];
  const slots = new Set(shown.map(({ hit }) => hit.slot));
  const parts = shown.map((each, place) => {
    const number = numbers.indexOf(each.hit.passage.rowKey) + 1;
    const part = shownPart(each, { number, markup, mark: timeMark(each.hit, slots) });
    return place === 0 ? part : `\n\n${part}`;
  });
  const statement = statementOf(missing, markup);
  return {
    parts: statement === '' ? parts : [`${statement}\n\n`, ...parts],
    sources: [...sources.values()],
  };
}

function refusal(closest: readonly ClosestNote[], markup: AnswerMarkup): Answer {
  const lines = closest.map(({ title }) => `- ${inert(withoutMarks(title), markup)}`);
  const list = lines.length === 0 ? '' : `\n\nThe closest notes:\n\n${lines.join('\n')}`;
  return { parts: [`No note answers this.${list}`], sources: [], closest };
}

/** Returns the notes of the best passages, each once: up to three, for readers of an answer that rests on nothing. */
export function closestNotes(hits: readonly Pick<ScoredPassage, 'passage'>[]): ClosestNote[] {
  const titles = new Map<string, string>();
  for (const { passage } of hits) {
    if (titles.size === maxClosest) break;
    titles.set(publicKeyOf(passage.rowKey), passage.title.slice(0, maxTitleLength).toWellFormed());
  }
  return Array.from(titles, ([rowKey, title]) => ({ rowKey, title }));
}

/** Names the words of the question that no note mentions; '' for none. */
function statementOf(missing: readonly MissingWord[], markup: AnswerMarkup): string {
  if (missing.length === 0) return '';
  const words = missing.map(({ word }) => shortened(word));
  const series = [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '');
  return inert(`No note mentions ${series.join(' or ')}.`, markup);
}

function inert(text: string, markup: AnswerMarkup): string {
  const filter = createMarkupFilter(markup, 'within line');
  return filter.push(withoutReferences(text)) + filter.end();
}

function shortened(word: string): string {
  return word.length <= maxWordLength ? word : `${word.slice(0, maxWordLength - 1).toWellFormed()}…`;
}
