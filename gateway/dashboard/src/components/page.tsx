import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import styles from './page.module.css';

/**
 * Names the window after a page. Returns the ref of its heading, which takes the focus where the focus was on what led
 * here: whoever came by a link hears where they are, and goes on from there by keyboard. The heading needs `tabIndex={-1}`.
 */
export function usePageTitle(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // Together with the heading: the history of the browser names a page by the title that it has when it is left.
  useLayoutEffect(() => {
    document.title = `${title} · Team Memory`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return heading;
}

/** A page: its title, which is also that of the window, what can be done on it, and its content. */
export function Page({
  title,
  description,
  actions,
  isNarrow = false,
  children,
}: {
  title: string;
  /** One sentence below the title. */
  description?: ComponentChildren;
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  /** As wide as a line of text can be read. */
  isNarrow?: boolean;
  children: ComponentChildren;
}) {
  const heading = usePageTitle(title);
  return (
    <div class={`${styles.page} ${isNarrow ? styles.narrow : ''}`}>
      <header class={styles.header}>
        <div>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {description !== undefined && <p class={styles.description}>{description}</p>}
        </div>
        {actions !== undefined && <div class={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
