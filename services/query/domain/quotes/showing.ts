import { withoutReferences } from '../citations/citation-reference.ts';
import { fullDayIn } from '../dates/dates-in.ts';
import { type AnswerMarkup, plainTitle, withPlainLinks } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { isOutdatedStatus } from '../passages/outdated.ts';
import { fullDay } from '../passages/passage.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Findings } from '../views/search-view.ts';
import { passageBlocks } from './passage-blocks.ts';
import type { Thought } from './thought.ts';

/** A passage that is shown. */
export interface ShownPassage {
  hit: ScoredPassage;
  thought: Thought;
}

/** The end of a block of code: with a citation on its line it would end nothing, and what stands below would be code. */
const endOfCode = /(?:`{3,}|~{3,})[ \t]*$/;
const plainWords = /^[\p{L}\p{M}\p{N} ,.-]+$/u;
/** Passages of a table that is longer than one, in which its header is looked for. */
const maxPassagesBefore = 20;

/** Returns the passages that may be shown together: outdated ones are left out if one that replaced them was found. */
export function shownForTheirTime(hits: readonly ScoredPassage[]): ScoredPassage[] {
  const slots = new Set(hits.map(({ slot }) => slot));
  return hits.filter(({ newer, passage }) => {
    return !(passage.fields.isOutdated && newer !== undefined && slots.has(newer));
  });
}

/**
 * Returns a line before a passage, so that readers do not take it for current: that it is outdated, or its day if
 * something newer is shown. The day is one that is named in full; a month or a quarter is none. '' if no line is needed.
 */
export function timeMark({ passage, newer }: ScoredPassage, shown: ReadonlySet<number>): string {
  const { headings, fields } = passage;
  const day = headings.map(fullDayIn).findLast((each) => each !== '') ?? fullDay(fields);
  if (!fields.isOutdated) return newer !== undefined && shown.has(newer) && day !== '' ? `As of ${day}:` : '';
  // Of what its author wrote, only words that are none but that, so that no markup and no citation comes in here.
  const { status } = fields;
  const why = isOutdatedStatus(status) && plainWords.test(status) ? status : 'outdated';
  return day === '' ? `Not current (${why}):` : `Not current (${why}, ${day}):`;
}

/** Returns the title and the last heading of a passage, in bold; '' where neither has words. */
export function headingOf({ passage: { title, headings } }: ScoredPassage): string {
  const path = [...new Set([title, headings.at(-1) ?? title])]
    .map(withoutMarks)
    .filter((each) => each !== '');
  return path.length === 0 ? '' : `**${path.join(' › ')}**`;
}

/** A title or heading as plain text in which nothing looks like a citation, nor like the end of bold words. */
export function withoutMarks(title: string): string {
  return withoutReferences(plainTitle(title)).replace(/[*`]/g, '').trim();
}

/** Returns a passage as a part of an answer: its heading, the line on its time, what is shown of it, and its citation. */
export function shownPart(
  { hit, thought }: ShownPassage,
  { number, markup, mark }: { number: number; markup: AnswerMarkup; mark: string },
): string {
  const text = markup === 'inert' ? withPlainLinks(thought.text) : thought.text;
  const paragraphs = [headingOf(hit), mark, withoutReferences(text)].filter((each) => each !== '');
  const filter = createMarkupFilter(markup);
  const shown = filter.push(paragraphs.join('\n\n')) + filter.end();
  // A citation is neither a cell nor code, and never part of the fence that the filter saw code end with.
  const standsBelow = thought.endsInBlock || endOfCode.test(shown);
  return `${shown}${standsBelow ? '\n\n' : ' '}[${number}]`;
}

/** Puts the header of a table above rows of it whose passage begins below that. */
export function withTableHead(shown: ShownPassage, { passageBeside }: Findings): ShownPassage {
  const { hit, thought } = shown;
  if (!isHeadless(thought.text)) return shown;
  for (let back = 1; back <= maxPassagesBefore; back += 1) {
    const text = passageBeside(hit, hit.passage.ordinal - back)?.text ?? '';
    const last = passageBlocks(text).at(-1);
    if (last?.kind !== 'table') break;
    const head = text.slice(last.head.start, last.head.end).trimEnd();
    if (head !== '') {
      const [names, delimiter] = head.split('\n').slice(-2);
      return { hit, thought: { ...thought, text: `${names}\n${delimiter}\n${thought.text}` } };
    }
    if (last.start > 0) break;
  }
  return shown;
}

function isHeadless(text: string): boolean {
  const [first] = passageBlocks(text);
  return first?.kind === 'table' && first.head.start === first.head.end;
}
