import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import styles from './virtual-list.module.css';

/** Rows kept beyond both edges, so that quick scrolling shows no gaps. */
const overscan = 8;

/** A long list of which only the visible rows are in the page. It scrolls by itself, within the height that its class gives. */
export function VirtualList<Row>({
  label,
  rows,
  keyOf,
  rowHeight,
  onEnd,
  firstShown = -1,
  className = '',
  children,
}: {
  /** For screen readers: what the rows are. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** About how high a row is, in pixels; each is measured when it is shown. */
  rowHeight: number;
  /** Called when the last rows come into view, to load more. */
  onEnd?: () => void;
  /** The row that is in view at first. */
  firstShown?: number;
  className?: string;
  children: (row: Row, index: number) => ComponentChildren;
}) {
  const scrolled = useRef<HTMLDivElement>(null);
  const [, show] = useReducer((count: number) => count + 1, 0);
  const options = {
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => rowHeight,
    getItemKey: (index: number) => keyOf(rows[index] as Row),
    overscan,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => show(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLLIElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => {
    if (firstShown > 0) virtualizer.scrollToIndex(firstShown, { align: 'center' });
  }, []);
  const visible = virtualizer.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) onEnd?.();
  }, [last, rows.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section ref={scrolled} class={`${styles.scroll} ${className}`} tabIndex={0} aria-label={label}>
      <ul class={styles.rows} style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {visible.map(({ index, start, key }) => (
          <li
            key={key}
            ref={(element) => virtualizer.measureElement(element)}
            data-index={index}
            class={styles.row}
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
          >
            {children(rows[index] as Row, index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
