import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** A note that can be linked to. */
export interface LinkTarget {
  row_key: string;
  title: string;
}

/** More than one looks through. */
const maxOffered = 50;

/**
 * Offers notes to link to: by title or path behind `[[`, which becomes a link, and by path in the address of a link.
 * `targets` returns the notes that there are, `from` the path of the note that is written.
 */
export function linkCompletion(
  targets: () => readonly LinkTarget[],
  from: () => string,
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const wiki = context.matchBefore(/\[\[[^[\]\n]{0,100}/);
    if (wiki !== null) {
      const words = wiki.text.slice(2);
      const offered = matching(targets(), words).map(
        (target): Completion => ({
          label: target.title,
          detail: target.row_key,
          apply: `[${linkText(target.title)}](${linkAddress(from(), target.row_key)})`,
        }),
      );
      return { from: wiki.from, options: offered, filter: false };
    }
    const address = context.matchBefore(/\]\([^()\s]{0,200}/);
    if (address === null || /^\]\((?:[a-z]+:|#|\/\/)/i.test(address.text)) return null;
    const offered = matching(targets(), address.text.slice(2).replace(/^(?:\.{1,2}\/)+/, '')).map(
      (target): Completion => ({ label: linkAddress(from(), target.row_key), detail: target.title }),
    );
    return { from: address.from + 2, options: offered, filter: false };
  };
}

/** Notes whose title or path has every word, those that begin with the first word before others. */
function matching(targets: readonly LinkTarget[], typed: string): LinkTarget[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { target: LinkTarget; isFirst: boolean }[] = [];
  for (const target of targets) {
    const title = target.title.toLowerCase();
    if (!words.every((word) => title.includes(word) || target.row_key.toLowerCase().includes(word))) continue;
    found.push({ target, isFirst: title.startsWith(words[0] ?? '') });
  }
  return found
    .sort((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, maxOffered)
    .map(({ target }) => target);
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
