import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { findItems, type NamedItem } from '../../service/items.ts';

/**
 * Offers notes to link to: by title or path behind `[[`, which becomes a link, and by path in the address of a link. `from`
 * returns the path of the note that is written.
 */
export function linkCompletion(
  from: () => string,
): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const wiki = context.matchBefore(/\[\[[^[\]\n]{0,100}/);
    if (wiki !== null) {
      const options = (await notesNamed(wiki.text.slice(2), context)).map(
        ({ title, row_key }): Completion => ({
          label: title,
          detail: row_key,
          apply: `[${linkText(title)}](${linkAddress(from(), row_key)})`,
        }),
      );
      return { from: wiki.from, options, filter: false };
    }
    const address = context.matchBefore(/\]\([^()\s]{0,200}/);
    if (address === null || /^\]\((?:[a-z]+:|#|\/\/)/i.test(address.text)) return null;
    const typed = address.text.slice(2).replace(/^(?:\.{1,2}\/)+/, '');
    const options = (await notesNamed(typed, context)).map(
      ({ title, row_key }): Completion => ({ label: linkAddress(from(), row_key), detail: title }),
    );
    return { from: address.from + 2, options, filter: false };
  };
}

/** Notes with these words in title or path; none where they cannot be had: one can type on. */
async function notesNamed(words: string, context: CompletionContext): Promise<NamedItem[]> {
  const cancel = new AbortController();
  context.addEventListener('abort', () => cancel.abort(), { onDocChange: true });
  try {
    return (await findItems(words, cancel.signal)).items;
  } catch {
    return [];
  }
}

/** A title as the words of a link: nothing in it can end the link or begin another one. */
export function linkText(title: string): string {
  return title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]`*_<>!]/g, '\\$&');
}

/** The address of a note as a link in another note has it. */
export function linkAddress(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  const segments = [...here.slice(shared).map(() => '..'), ...there.slice(shared).map(encoded)];
  // What has a colon in its first part would be read as an address with a scheme.
  return segments[0]?.includes(':') ? `./${segments.join('/')}` : segments.join('/');
}

function encoded(segment: string): string {
  return encodeURI(segment).replace(/[()?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
