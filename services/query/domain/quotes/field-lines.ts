import { fieldLine, wordsOfFields } from '../passages/item-fields.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { isMet } from '../ranking/wanted-terms.ts';
import type { Findings } from '../views/search-view.ts';

/**
 * Where a question asks for what an item says of itself beside its text, as who
 * owns it, lets its first passage end with that, as a line that can be quoted:
 * `owner: mara · status: draft`. The line has all words by which its fields are
 * asked for, so `numbersOf` of the findings changes with the passages.
 */
export function withFieldLines(
  hits: readonly ScoredPassage[],
  findings: Findings,
): { hits: ScoredPassage[]; findings: Findings } {
  const lines = new Map<string, string>();
  const withLines = hits.map((hit) => {
    const { ordinal, text, fields } = hit.passage;
    const words = ordinal === 0 ? wordsOfFields(fields) : '';
    if (words === '' || !asksFor(words, hit, findings)) return hit;
    const line = fieldLine(fields);
    lines.set(line, words);
    return { ...hit, passage: { ...hit.passage, text: `${text}\n\n${line}` } };
  });
  const numbersOf: Findings['numbersOf'] = (text, language) => {
    const words = lines.get(text.slice(text.lastIndexOf('\n') + 1));
    return findings.numbersOf(words === undefined ? text : `${text}\n${words}`, language);
  };
  return { hits: withLines, findings: lines.size === 0 ? findings : { ...findings, numbersOf } };
}

/** Whether a question has one of these words, and not only as one that the head of the passage has too. */
function asksFor(
  words: string,
  { terms, headLength, passage }: ScoredPassage,
  { wanted, numbersOf }: Findings,
): boolean {
  const said = new Set(numbersOf(words, passage.language));
  const inHead = new Set(terms.subarray(0, headLength));
  return wanted.telling.some((term) => isMet(term, said) && !isMet(term, inHead));
}
