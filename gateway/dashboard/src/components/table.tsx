import type { ComponentChildren } from 'preact';
import styles from './table.module.css';

/** One column of a table. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end, so that their digits are below each other. */
  isNumber?: boolean;
  /** The heading is for screen readers only, as over buttons. */
  isHeadingHidden?: boolean;
}

/** Rows with headings. On a narrow screen it scrolls by itself, and the page does not. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** For screen readers: what the rows are. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class={styles.scroll} tabIndex={0} aria-label={caption}>
      <table class={styles.table}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber, isHeadingHidden }) => (
              <th key={heading} scope="col" class={isNumber ? styles.number : undefined}>
                <span class={isHeadingHidden ? 'visually-hidden' : undefined}>{heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ heading, cell, isNumber }) => (
                <td key={heading} class={isNumber ? styles.number : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
