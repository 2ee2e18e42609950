import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../language/language.ts';
import { Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import {
  isSameQuestion,
  type KeptAnswer,
  keepAnswer,
  keptAnswers,
  type Question,
  textOfQuestion,
} from './kept-answers.ts';

/** How long an answer may stream; the gateway gives up at the same time. */
const answerTimeoutMs = 120_000;

/** A question and what has come of its answer so far. */
export interface Answer extends Omit<KeptAnswer, 'status'> {
  status: KeptAnswer['status'] | 'streaming';
  problem: Problem | undefined;
}

/** Asks one question at a time. Another question, or leaving the page, cancels the one before. */
export function useAnswer(): {
  answer: Answer | undefined;
  ask(question: Question): void;
  /** Shows the answer to a question that this browser has kept; none if there is none. */
  show(question: Question): void;
  stop(): void;
} {
  const [answer, setAnswer] = useState<Answer>();
  const asking = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => asking.current?.abort(), []);

  async function stream(question: Question, cancel: AbortController): Promise<void> {
    let kept: KeptAnswer = {
      ...question,
      text: '',
      sources: [],
      status: 'failed',
      at: new Date().toISOString(),
    };
    const show = (status: Answer['status'], problem?: Problem) => {
      if (asking.current === cancel) setAnswer({ ...kept, status, problem });
    };
    show('streaming');
    // A browser that is closed meanwhile knows what was asked.
    keepAnswer(kept);
    try {
      const options = { signal: cancel.signal, timeoutMs: answerTimeoutMs };
      for await (const { part } of rpc.query.ask({ question: textOfQuestion(question) }, options)) {
        if (part.case === 'delta') kept = { ...kept, text: kept.text + part.value.text };
        if (part.case === 'sources') {
          const sources = part.value.sources.map(({ $typeName, $unknown, ...source }) => source);
          kept = { ...kept, sources, status: 'complete' };
        }
        show('streaming');
      }
      if (kept.status !== 'complete')
        throw new Problem('unavailable', t('The answer ended before it was complete. Ask again.'));
      show('complete');
    } catch (thrown) {
      kept = { ...kept, status: cancel.signal.aborted ? 'stopped' : 'failed' };
      show(kept.status, cancel.signal.aborted ? undefined : problemOf(thrown));
    }
    keepAnswer(kept);
  }

  return {
    answer,
    ask(question) {
      asking.current?.abort();
      const cancel = new AbortController();
      asking.current = cancel;
      void stream(question, cancel);
    },
    show(question) {
      asking.current?.abort();
      asking.current = undefined;
      const kept = keptAnswers.peek().find((each) => isSameQuestion(each, question));
      setAnswer(kept && { ...kept, problem: undefined });
    },
    stop: () => asking.current?.abort(),
  };
}
