import type { ComponentChildren } from 'preact';
import { t } from '../language/language.ts';
import type { Problem } from '../service/problem.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

/** What went wrong in the service's own words, with the id of the request; nothing if nothing did. */
export function ProblemNotice({ problem, onRetry }: { problem: Problem | undefined; onRetry?: () => void }) {
  if (problem === undefined || problem.code === 'cancelled') return null;
  return (
    <div class={`${styles.notice} ${styles.bad}`} role="alert">
      <Icon name="warning" />
      <div class={styles.text}>
        <p>{problem.message}</p>
        {problem.requestId !== '' && (
          <p class={styles.request}>{t('Request {requestId}', { requestId: problem.requestId })}</p>
        )}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>{t('Try again')}</Button>}
    </div>
  );
}

/** A few words that a person should read before going on. */
export function Notice({ tone = 'info', children }: { tone?: 'info' | 'warn'; children: ComponentChildren }) {
  return (
    <div class={`${styles.notice} ${styles[tone]}`}>
      <div class={styles.text}>{children}</div>
    </div>
  );
}
