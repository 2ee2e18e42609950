import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import type { AnswerSource, KeptAnswer } from './kept-answers.ts';

/** The page that shows a source whole. */
export function sourcePath({ rowKey, kind }: AnswerSource): string {
  if (kind !== 'item' && rowKey.startsWith('decisions/'))
    return decisionPath(rowKey.slice('decisions/'.length));
  if (kind !== 'item' && rowKey.startsWith('projects/')) return projectPath(rowKey.slice('projects/'.length));
  return itemPath(rowKey);
}

/** Writes an answer as Markdown, with its question and links to its sources; `origin` is the address of the service. */
export function answerMarkdown({ question, after, text, sources }: KeptAnswer, origin: string): string {
  const heading = [...after.split('\n').filter(Boolean), question].map(oneLine).join(' ');
  const links = sources.map(
    (source, index) => `${index + 1}. [${escaped(source.title)}](${origin}${sourcePath(source)})\n`,
  );
  return [`# ${heading}\n`, `${text.trim()}\n`, ...(links.length === 0 ? [] : [links.join('')])].join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[\\[\]]/g, '\\$&');
}
