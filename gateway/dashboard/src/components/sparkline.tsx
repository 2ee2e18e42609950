import styles from './sparkline.module.css';

const [width, height] = [96, 24];

/** A small line without axes, beside the figure that it leads to. Screen readers get the figure. */
export function Sparkline({ values, highest }: { values: readonly number[]; highest: number }) {
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${index * step},${height - 2 - (value / highest) * (height - 4)}`,
  );
  return (
    <svg class={styles.sparkline} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {values.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
