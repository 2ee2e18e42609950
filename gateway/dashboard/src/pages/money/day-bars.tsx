import { locale, t } from '../../language/language.ts';
import styles from './money-page.module.css';
import { asMoney } from './usage.ts';

const dayOfMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** Of the drawing, in its own units. */
const [height, step, gap] = [120, 20, 6];

/** The cost of each day as a bar. The figures stand in a table below it on the page, and in each bar's hint. */
export function DayBars({ days }: { days: readonly { day: string; cost: number }[] }) {
  const most = Math.max(...days.map(({ cost }) => cost), Number.MIN_VALUE);
  const label = (day: string | undefined) =>
    day === undefined ? '' : dayOfMonth.format(new Date(`${day}T00:00:00Z`));
  return (
    <figure class={styles.chart}>
      <div class={styles.axis} aria-hidden="true">
        <span>{asMoney(most)}</span>
        <span>{asMoney(most / 2)}</span>
        <span>{asMoney(0)}</span>
      </div>
      <svg
        class={styles.bars}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t(
          'Cost of each day; the most on one day was {most}. The days stand in the table below.',
          { most: asMoney(most) },
        )}
      >
        <path class={styles.grid} d={`M0 1H${days.length * step}M0 ${height / 2}H${days.length * step}`} />
        {days.map(({ day, cost }, index) => {
          const size = (cost / most) * (height - 2);
          return (
            <rect
              key={day}
              x={index * step + gap / 2}
              y={height - size}
              width={step - gap}
              height={size}
              rx={2}
            >
              <title>{`${label(day)}: ${asMoney(cost)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class={styles.scale}>
        <span>{label(days[0]?.day)}</span>
        <span>{label(days.at(-1)?.day)}</span>
      </figcaption>
    </figure>
  );
}
