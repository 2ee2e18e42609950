import styles from './meter.module.css';

/** A share of a whole as a bar, with its figures as words beside it. */
export function Meter({
  label,
  value,
  max,
  words,
}: {
  label: string;
  value: number;
  max: number;
  words: string;
}) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div class={styles.meter}>
      <span class={styles.label}>{label}</span>
      <svg class={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class={styles.track} width="100" height="8" rx="2" />
        <rect class={styles.value} width={share * 100} height="8" rx="2" />
      </svg>
      <span class={styles.words}>{words}</span>
    </div>
  );
}
