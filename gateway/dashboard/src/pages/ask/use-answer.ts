import type { Source } from '@teammemory/proto/query/v1/query_pb.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';

/** How long an answer may stream; the gateway gives up at the same time. */
const answerTimeoutMs = 120_000;

/** A question and what has come of its answer so far. */
export interface Answer {
  question: string;
  text: string;
  /** The k-th is cited as [k]; empty until the end of the stream. */
  sources: readonly Source[];
  status: 'streaming' | 'complete' | 'stopped' | 'failed';
  problem: Problem | undefined;
}

/** Asks one question at a time. Another question, or leaving the page, cancels the one before. */
export function useAnswer(): {
  answer: Answer | undefined;
  ask(question: string): void;
  /** Shows the answer to a question that was asked before on this page; none if there is none. */
  show(question: string): void;
  stop(): void;
} {
  const [answer, setAnswer] = useState<Answer>();
  const asking = useRef<AbortController | undefined>(undefined);
  const known = useRef(new Map<string, Answer>());
  useEffect(() => () => asking.current?.abort(), []);
  useEffect(() => {
    if (answer !== undefined && answer.status !== 'streaming') known.current.set(answer.question, answer);
  }, [answer]);

  async function stream(question: string, cancel: AbortController): Promise<void> {
    const change = (edit: (before: Answer) => Partial<Answer>) => {
      if (asking.current !== cancel) return;
      setAnswer((before) => before && { ...before, ...edit(before) });
    };
    try {
      let isComplete = false;
      const options = { signal: cancel.signal, timeoutMs: answerTimeoutMs };
      for await (const { part } of rpc.query.ask({ question }, options)) {
        if (part.case === 'delta') change(({ text }) => ({ text: text + part.value.text }));
        if (part.case === 'sources') {
          isComplete = true;
          change(() => ({ sources: part.value.sources }));
        }
      }
      if (!isComplete)
        throw new Problem('unavailable', 'The answer ended before it was complete. Ask again.');
      change(() => ({ status: 'complete' }));
    } catch (thrown) {
      if (cancel.signal.aborted) change(() => ({ status: 'stopped' }));
      else change(() => ({ status: 'failed', problem: problemOf(thrown) }));
    }
  }

  return {
    answer,
    ask(question) {
      asking.current?.abort();
      const cancel = new AbortController();
      asking.current = cancel;
      setAnswer({ question, text: '', sources: [], status: 'streaming', problem: undefined });
      void stream(question, cancel);
    },
    show(question) {
      asking.current?.abort();
      asking.current = undefined;
      setAnswer(known.current.get(question));
    },
    stop: () => asking.current?.abort(),
  };
}
