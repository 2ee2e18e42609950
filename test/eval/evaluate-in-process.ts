import { publicKeyOf } from '../../services/query/domain/passages/passage.ts';
import type { View } from '../../services/query/domain/views/view.ts';
import { findInView } from '../../services/query/search-index/index-host.ts';
import { type AnswersQuestion, baselineAnswers } from './baseline-answer.ts';
import { today, viewOfMemory } from './memory-view.ts';
import { judge, type TeamMemory, type Verdict } from './team-memory.ts';

/** Who answers: the domain of the query service in this process, or the baseline of test/eval/baseline-answer.ts. */
export type Answerer = 'service' | 'baseline';

/** Asks the questions of each memory in this process, without a service. */
export async function evaluateInProcess(
  memories: readonly TeamMemory[],
  answerer: Answerer,
): Promise<{ memory: string; verdicts: Verdict[] }[]> {
  const evaluated: { memory: string; verdicts: Verdict[] }[] = [];
  for (const memory of memories) {
    const answers =
      answerer === 'baseline' ? await baselineAnswers(memory.items) : await answersOfView(memory);
    const verdicts = memory.questions.map((question) => {
      const { text, sources } = answers(question.text);
      return judge(question, text, sources);
    });
    evaluated.push({ memory: memory.name, verdicts });
  }
  return evaluated;
}

async function answersOfView(memory: TeamMemory): Promise<AnswersQuestion> {
  const view = await viewOfMemory(memory);
  return (question) => answerIn(view, question);
}

/** What a view answers, and the items that search finds, best first. */
export function answerIn(
  view: View,
  question: string,
): { text: string; sources: string[]; ranking: string[] } {
  const found = findInView(view, { tier: 'team', question, limit: 20, today });
  const { parts, sources } = found.list ?? found.quotes;
  return {
    text: parts.join(''),
    sources: sources.map(({ rowKey }) => publicKeyOf(rowKey)),
    ranking: [...new Set(found.passages.map(({ passage }) => publicKeyOf(passage.rowKey)))],
  };
}
