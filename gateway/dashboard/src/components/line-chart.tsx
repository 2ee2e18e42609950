import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../theme/theme.ts';
import styles from './line-chart.module.css';

/** A line of a chart. */
export interface Line {
  label: string;
  /** One for each place; null where there is none. */
  values: readonly (number | null)[];
}

const height = 240;
/** Lines are told apart by colour and by dashes, so that nobody has to tell colours apart. */
const [colourCount, dashes] = [5, [[], [6, 4], [2, 3], [10, 4], [8, 3, 2, 3]]];

/**
 * Lines over named places, such as commits or weeks. It shows what stands in a table beside it, which says everything to
 * screen readers. The library is loaded with the first chart.
 */
export function LineChart({
  label,
  places,
  lines,
  highest,
}: {
  /** What it shows, in one sentence. */
  label: string;
  places: readonly string[];
  lines: readonly Line[];
  /** The upper end of the scale; the lower one is 0. */
  highest: number;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let chart: uPlot | undefined;
    let isGone = false;
    const draw = async () => {
      const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
      const target = element.current;
      if (isGone || target === null) return;
      chart?.destroy();
      const data = [places.map((_, index) => index), ...lines.map(({ values }) => [...values])];
      chart = new UPlot(optionsFor(target, { places, lines, highest }), data as uPlot.AlignedData, target);
    };
    void draw();
    const resized = new ResizeObserver(([entry]) => {
      if (entry !== undefined) chart?.setSize({ width: entry.contentRect.width, height });
    });
    if (element.current !== null) resized.observe(element.current);
    // The colours come from the theme, which somebody may change while the page is open.
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    return () => {
      isGone = true;
      system.removeEventListener('change', draw);
      resized.disconnect();
      chart?.destroy();
    };
  }, [places, lines, highest, theme.value]);
  return (
    <figure>
      <div ref={element} class={styles.chart} role="img" aria-label={label} />
      {lines.length > 1 && (
        <ul class={styles.legend} aria-hidden="true">
          {lines.map((line, index) => (
            <li key={line.label}>
              <svg width="28" height="8" aria-hidden="true">
                <line
                  class={styles[`line${(index % colourCount) + 1}`]}
                  x1="0"
                  y1="4"
                  x2="28"
                  y2="4"
                  stroke-dasharray={dashes[index % dashes.length]?.join(' ')}
                />
              </svg>
              {line.label}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function optionsFor(
  target: HTMLElement,
  { places, lines, highest }: { places: readonly string[]; lines: readonly Line[]; highest: number },
): uPlot.Options {
  // A canvas takes no colour with a name, nor one that depends on the theme.
  const colour = (name: string) => {
    target.style.color = `var(--${name})`;
    return getComputedStyle(target).color;
  };
  const axis = {
    stroke: colour('text-muted'),
    grid: { stroke: colour('border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: target.clientWidth,
    height,
    // Its own legend would write markup; ours stands below, and the figures in a table.
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: [0, highest] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        gap: 8,
        size: 36,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        values: (_chart, splits) => splits.map((index) => places[index] ?? ''),
      },
      { ...axis, size: 40 },
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.label,
        stroke: colour(`chart-${(index % colourCount) + 1}`),
        width: 2,
        dash: dashes[index % dashes.length] ?? [],
        points: { show: places.length <= 60, size: 6 },
      })),
    ],
  };
}
