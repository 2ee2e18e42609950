import { useState } from 'preact/hooks';
import { type Problem, problemOf } from '../service/problem.ts';

/** Something that a person starts, such as saving. */
export interface Action<Input> {
  /** Does it; resolves with whether it succeeded. A second start while one is under way does nothing. */
  run(input: Input): Promise<boolean>;
  isRunning: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
  /** Forgets the problem, as a dialog does that opens again. */
  reset(): void;
}

/** Makes an action of a function, with what a button and a notice need to show. */
export function useAction<Input = void>(act: (input: Input) => Promise<unknown>): Action<Input> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  return {
    isRunning,
    problem,
    reset: () => setProblem(undefined),
    async run(input) {
      if (isRunning) return false;
      setRunning(true);
      setProblem(undefined);
      try {
        await act(input);
        return true;
      } catch (thrown) {
        setProblem(problemOf(thrown));
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}
