import { GFM, parser } from '@lezer/markdown';
import { linkedItem } from '../../components/markdown-links.ts';
import { t } from '../../language/language.ts';
import { Problem } from '../../service/problem.ts';
import { linkAddress } from './link-completion.ts';

/** Reads Markdown for the editor: the place of each of its parts. */
export const markdownParser = parser.configure(GFM);

/** The time in which a text is read, and after which the page may do something else. */
const [maxReadingMs, stepMs] = [3_000, 30];
/** A paragraph is read at once, in a time that grows with its square if it was made to be slow. */
const maxParagraphCharacters = 16 * 1024;
/** Where a paragraph surely ends: at a blank line, or where an entry of a list begins. */
const paragraphEnd = /\n(?=[ \t]*\r?\n| {0,3}[-*+] +\S)/;

/** A note that was moved, and what must be known to read the links to it. */
export interface Move {
  from: string;
  to: string;
  /** Whether no note but the one that was moved has this name, which is that of a file without its folder and ending. */
  isOnly: (name: string) => boolean;
}

/**
 * Returns a text in which the links to a moved note lead to where it is now, and how many were changed; every other byte
 * stays. `path` is that of the text: of the moved note itself its new one, from which its own links lead on. Links by path
 * count, `[a](b.md)`, `[a]: b.md` and `[[b]]`, not what stands in code.
 * @throws Problem if the text cannot be read in time.
 */
export async function withMovedLinks(
  text: string,
  path: string,
  move: Move,
): Promise<{ text: string; count: number }> {
  const { from, to } = move;
  const isMoved = path === to;
  // Most texts name no such note, and need not be read.
  if (isMoved ? !/\]|\[/.test(text) : !mayName(text, nameOf(from))) return { text, count: 0 };
  const parts: string[] = [];
  let [count, done] = [0, 0];
  const replace = (start: number, end: number, written: string) => {
    parts.push(text.slice(done, start), written);
    done = end;
    count += 1;
  };
  const tree = await readMarkdown(text);
  tree.iterate({
    enter({ name, from: start, to: end, node }) {
      if (name === 'URL' && /^(?:Link|Image|LinkReference)$/.test(node.parent?.name ?? '')) {
        const written = text.slice(start, end);
        const next = movedAddress(written, isMoved ? from : path, path, move);
        if (next !== undefined) replace(start, end, next);
      }
      if (name === 'Link' && text[start - 1] === '[' && text[end] === ']' && node.getChild('URL') === null) {
        const next = movedName(text.slice(start + 1, end - 1), move);
        if (next !== undefined) replace(start + 1, end - 1, next);
      }
    },
  });
  return { text: parts.join('') + text.slice(done), count };
}

async function readMarkdown(text: string) {
  if (text.split(paragraphEnd).some(({ length }) => length > maxParagraphCharacters)) throw tooSlow();
  const reading = markdownParser.startParse(text);
  const began = performance.now();
  for (let pauseMs = began + stepMs; ; ) {
    const tree = reading.advance();
    if (tree !== null) return tree;
    const now = performance.now();
    if (now > began + maxReadingMs) throw tooSlow();
    if (now <= pauseMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    pauseMs = performance.now() + stepMs;
  }
}

/** The address of a link as it must be now; undefined where it may stay. */
function movedAddress(
  written: string,
  readAt: string,
  standsAt: string,
  { from, to }: Move,
): string | undefined {
  const isBracketed = written.startsWith('<');
  const href = (isBracketed ? written.slice(1, -1) : written).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  if (href.startsWith('#')) return undefined;
  const linked = linkedItem(href, readAt);
  if (linked === undefined || linked.path === '') return undefined;
  const target = linked.path.normalize('NFC') === from ? to : linked.path;
  if (linkedItem(href, standsAt)?.path === target) return undefined;
  const address = href.startsWith('/') ? `/${linkAddress('', target)}` : linkAddress(standsAt, target);
  return isBracketed ? `<${address}${linked.rest}>` : address + linked.rest;
}

/** What stands between `[[` and `]]` as it must be now; undefined where it may stay. */
function movedName(written: string, { from, to, isOnly }: Move): string | undefined {
  const [, name = '', rest = ''] = /^([^|#\\]*)(.*)$/s.exec(written) ?? [];
  const said = name.trim().normalize('NFC');
  const ending = /\.(?:md|markdown)$/i.exec(said)?.[0] ?? '';
  const stem = said.slice(0, said.length - ending.length);
  const isPath = stem.includes('/');
  if (isPath ? stem !== withoutEnding(from) : stem !== nameOf(from) || !isOnly(stem)) return undefined;
  const next = isPath || !isOnly(nameOf(to)) ? withoutEnding(to) : nameOf(to);
  // Nothing in it may end the link.
  if (next === stem || /[[\]|#\\\n]/.test(next)) return undefined;
  return name.replace(name.trim(), () => next + ending) + rest;
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:md|markdown)$/i, '');
}

/** The name of a note: that of its file, without the ending. */
export function nameOf(path: string): string {
  return withoutEnding(path.slice(path.lastIndexOf('/') + 1));
}

/** Whether a text may have this name of a note in a link. */
export function mayName(text: string, name: string): boolean {
  if (text.includes(name)) return true;
  if (!/[%\\]|[^\0-\x7f]/.test(text)) return false;
  const plain = text.replace(/(?:%[0-9a-f]{2})+|\\(?=[!-/:-@[-`{-~])/gi, (code) => {
    try {
      return code === '\\' ? '' : decodeURIComponent(code);
    } catch {
      return code;
    }
  });
  return plain.normalize('NFC').includes(name);
}

function tooSlow(): Problem {
  return new Problem('invalid_request', t('Its text cannot be read for links. Change them by hand.'));
}
