import type { ComponentChildren } from 'preact';
import styles from './card.module.css';

/** A piece of a page in a frame of its own, with a heading if it needs one. */
export function Card({
  title,
  actions,
  isFlush = false,
  children,
}: {
  title?: string;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  /** The content reaches to the frame, as a table does. */
  isFlush?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section class={styles.card} aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <header class={styles.header}>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </header>
      )}
      <div class={isFlush ? styles.flush : styles.content}>{children}</div>
    </section>
  );
}
