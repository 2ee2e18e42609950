import type { StructuredPatchHunk } from 'diff';
import { useRequest } from '../data/use-request.ts';
import { t } from '../language/language.ts';
import styles from './difference.module.css';
import { Skeleton } from './skeleton.tsx';

/** Comparing two quite different long texts takes long and shows little. */
const compareTimeoutMs = 1_500;
const linesAround = 3;
const maxShownLines = 3_000;

/** Shows what changed between two texts, line by line. `label` tells it from others on the same page. */
export function Difference({
  before,
  after,
  label = t('Differences'),
}: {
  before: string;
  after: string;
  label?: string;
}) {
  const { value } = useRequest(() => compare(before, after), [before, after]);
  if (value === undefined) return <Skeleton lines={8} label={t('Comparing')} />;
  if (value === 'too different') {
    return (
      <p class={styles.quiet}>{t('The two texts have too little in common to compare them line by line.')}</p>
    );
  }
  if (value.length === 0) return <p class={styles.quiet}>{t('The text is the same.')}</p>;
  let shown = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class={styles.difference} tabIndex={0} aria-label={label}>
      {value.map((hunk) => {
        const lines = hunk.lines.filter((line) => !line.startsWith('\\')).slice(0, maxShownLines - shown);
        shown += lines.length;
        return (
          <div key={`${hunk.oldStart} ${hunk.newStart}`} class={styles.hunk}>
            <p class={styles.place}>{t('Line {line}', { line: hunk.newStart || hunk.oldStart })}</p>
            {lines.map((line, index) => (
              <Line key={index} sign={line.charAt(0)} text={line.slice(1)} />
            ))}
          </div>
        );
      })}
      {shown >= maxShownLines && <p class={styles.quiet}>{t('There are more lines than are shown here.')}</p>}
    </section>
  );
}

function Line({ sign, text }: { sign: string; text: string }) {
  if (sign === '+') {
    return (
      <ins class={styles.line}>
        <span aria-hidden="true">+</span>
        {text}
      </ins>
    );
  }
  if (sign === '-') {
    return (
      <del class={styles.line}>
        <span aria-hidden="true">−</span>
        {text}
      </del>
    );
  }
  return (
    <div class={styles.line}>
      <span aria-hidden="true"> </span>
      {text}
    </div>
  );
}

async function compare(before: string, after: string): Promise<StructuredPatchHunk[] | 'too different'> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, '', '', {
    context: linesAround,
    timeout: compareTimeoutMs,
  });
  return patch?.hunks ?? 'too different';
}
