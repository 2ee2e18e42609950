import { t } from '../language/language.ts';
import styles from './skeleton.module.css';

/** Grey lines in the place of what is loading, of about its size, so that nothing jumps when it comes. */
export function Skeleton({ lines = 3, label = t('Loading') }: { lines?: number; label?: string }) {
  return (
    <div class={styles.skeleton} role="status">
      <span class="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={styles.line} />
      ))}
    </div>
  );
}
