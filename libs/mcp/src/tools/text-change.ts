import { maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import { MemoryError } from '../memory.ts';

/** UTF-16 units of a text to look for. */
export const maxOldLength = 100_000;
/** Places that are counted. */
const maxCounted = 100;

/** What becomes of a text: another one, more at its end, or one place changed. */
export type TextChange = { content: string } | { append: string } | { replace: { old: string; new: string } };

/**
 * Returns a text after a change.
 * @throws MemoryError `invalid_request` unless the text to replace stands in exactly one place, and for a text that
 *   becomes too long.
 */
export function changedText(before: string, change: TextChange): string {
  if ('content' in change) return change.content;
  const after = 'append' in change ? appended(before, change.append) : replaced(before, change.replace);
  if (after.length <= maxContentBytes) return after;
  throw new MemoryError('invalid_request', 'The text would become too long. Begin another item.');
}

/** What is appended begins on a line of its own. */
function appended(before: string, addition: string): string {
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${addition}`;
}

function replaced(before: string, { old, new: wanted }: { old: string; new: string }): string {
  const places = placesOf(before, old);
  const [at] = places;
  if (at === undefined) {
    throw new MemoryError(
      'invalid_request',
      'replace.old stands in 0 places of the text. Fetch the text and copy from it exactly.',
    );
  }
  if (places.length > 1) {
    const count = places.length < maxCounted ? places.length : `${maxCounted} or more`;
    throw new MemoryError(
      'invalid_request',
      `replace.old stands in ${count} places of the text. Give more of what stands around the one you mean.`,
    );
  }
  return before.slice(0, at) + wanted + before.slice(at + old.length);
}

/**
 * Where a text stands, places that overlap included. By Knuth, Morris and Pratt, in linear time: `indexOf` takes six seconds
 * for 10,000 prepared characters in a megabyte.
 */
function placesOf(text: string, wanted: string): number[] {
  const borders = new Uint32Array(wanted.length);
  const longer = (length: number, character: number) => {
    let matched = length;
    while (matched > 0 && wanted.charCodeAt(matched) !== character) matched = borders[matched - 1] ?? 0;
    return wanted.charCodeAt(matched) === character ? matched + 1 : matched;
  };
  for (let at = 1; at < wanted.length; at += 1) {
    borders[at] = longer(borders[at - 1] ?? 0, wanted.charCodeAt(at));
  }
  const places: number[] = [];
  for (let at = 0, matched = 0; at < text.length && places.length < maxCounted; at += 1) {
    matched = longer(matched, text.charCodeAt(at));
    if (matched < wanted.length) continue;
    places.push(at + 1 - matched);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}
