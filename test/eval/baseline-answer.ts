import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { luceneBm25 } from './lucene-bm25.ts';

/** As much as an answer of the service has. */
const maxLength = 900;

/** What a memory answers, as it is judged. */
export type AnswersQuestion = (question: string) => { text: string; sources: readonly string[] };

/**
 * The least that an answer has to beat: BM25 as Lucene has it over the sections between headings, and the best section
 * whole, up to 900 characters. It refuses only what shares no word with any section.
 */
export async function baselineAnswers(folder: string): Promise<AnswersQuestion> {
  const sections = new Map<string, { rowKey: string; title: string; text: string }>();
  for (const rowKey of await readdir(folder, { recursive: true })) {
    if (!rowKey.endsWith('.md')) continue;
    const body = (await readFile(join(folder, rowKey), 'utf8')).replace(/^---\n.*?\n---\n/s, '');
    const title = /^#+ (.*)/m.exec(body)?.[1] ?? rowKey;
    for (const [place, text] of body.split(/^(?=#{1,6} )/m).entries())
      if (text.trim() !== '') sections.set(`${rowKey}#${place}`, { rowKey, title, text: text.trim() });
  }
  const search = luceneBm25([...sections].map(([id, { title, text }]) => ({ id, title, text })));
  return (question) => {
    const best = sections.get(search(question, 1)[0] ?? '');
    if (best === undefined) return { text: 'Nothing was found.', sources: [] };
    return { text: best.text.slice(0, maxLength), sources: [best.rowKey] };
  };
}
