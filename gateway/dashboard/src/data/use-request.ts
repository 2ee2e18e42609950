import { useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../service/problem.ts';
import { useRetry } from './use-retry.ts';

/** What a page shows of a request. */
export interface Requested<Value> {
  /** The newest answer; kept while it is asked for again, undefined until the first one. */
  value: Value | undefined;
  /** Why the newest attempt failed. */
  problem: Problem | undefined;
  isLoading: boolean;
  /** Asks again. */
  reload(): void;
}

/**
 * Loads a value for a component, and again whenever one of `inputs` changes: then the running request is cancelled, a late
 * answer is dropped, and the value is undefined until the new one is there. A request that failed because the service could
 * not be reached, or because the session had ended, is repeated when that is over.
 */
export function useRequest<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Requested<Value> {
  const [state, setState] = useState<Omit<Requested<Value>, 'reload'>>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);
  const loadedFor = useRef<readonly unknown[]>(inputs);
  useEffect(() => {
    const cancel = new AbortController();
    const isSame = loadedFor.current.every((input, index) => Object.is(input, inputs[index]));
    loadedFor.current = inputs;
    setState((before) => ({ value: isSame ? before.value : undefined, problem: undefined, isLoading: true }));
    load(cancel.signal).then(
      (value) => {
        if (!cancel.signal.aborted) setState({ value, problem: undefined, isLoading: false });
      },
      (thrown) => {
        if (cancel.signal.aborted) return;
        setState((before) => ({ value: before.value, problem: problemOf(thrown), isLoading: false }));
      },
    );
    return () => cancel.abort();
  }, [...inputs, attempt]);
  const reload = () => setAttempt((count) => count + 1);
  useRetry(state.problem, reload);
  return { ...state, reload };
}
