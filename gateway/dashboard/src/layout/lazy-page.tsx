import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Page } from '../components/page.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { loadTexts, t } from '../language/language.ts';
import { Problem } from '../service/problem.ts';
import { connection } from '../service/session.ts';

/**
 * Makes a component whose code is loaded when it is first shown, after the texts for it, which only the pages of the first
 * view have already.
 */
export function lazyPage(
  load: () => Promise<{ default: ComponentType }>,
  isFirstView = false,
): ComponentType {
  let Loaded: ComponentType | undefined;
  return function LazyPage() {
    const [attempt, setAttempt] = useState(0);
    const [failed, setFailed] = useState(false);
    // A component that is given as it is would be called as the function that makes the first state.
    const [, show] = useState(() => Loaded);
    // What could not be loaded while the service was away is loaded when it is back.
    const isOpen = connection.value === 'open';
    useEffect(() => {
      if (Loaded !== undefined) return;
      setFailed(false);
      (isFirstView ? load() : loadTexts().then(load)).then(
        (module) => {
          Loaded = module.default;
          show(() => module.default);
        },
        () => setFailed(true),
      );
    }, [attempt, isOpen]);
    if (Loaded !== undefined) return <Loaded />;
    if (!failed) {
      return (
        <div class="visually-hidden">
          <Skeleton lines={1} />
        </div>
      );
    }
    // After an update of the service the old files are gone; a new start loads the new ones.
    const problem = new Problem(
      'unavailable',
      t('This page could not be loaded. Reload if trying again does not help.'),
    );
    return (
      <Page title="Team Memory">
        <ProblemNotice problem={problem} onRetry={() => setAttempt(attempt + 1)} />
      </Page>
    );
  };
}
