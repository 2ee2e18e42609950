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
 * Loads something for a component, and again whenever one of `inputs` changes. What is under way then is cancelled, and
 * an answer that comes too late is dropped. What failed because the service could not be reached, or because the session had
 * ended, is asked for again once that is over. While other inputs load, the value is undefined, so that nothing wrong is shown.
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
