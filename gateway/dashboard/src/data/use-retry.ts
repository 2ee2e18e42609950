import { useEffect } from 'preact/hooks';
import { isSignedOut, type Problem } from '../service/problem.ts';
import { connection } from '../service/session.ts';

/** Asks again for what failed while the service could not be reached, or the session had ended, once that is over. */
export function useRetry(problem: Problem | undefined, retry: () => void): void {
  const isOpen = connection.value === 'open';
  useEffect(() => {
    if (!isOpen || problem === undefined) return;
    if (problem.code === 'offline' || isSignedOut(problem)) retry();
  }, [isOpen]);
}
