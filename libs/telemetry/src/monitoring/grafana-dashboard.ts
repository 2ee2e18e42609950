import { catalogue, type MetricDescription, type MetricName } from './catalogue.ts';

const width = 8;
const height = 8;
const panelsPerRow = 24 / width;

interface Panel {
  title: string;
  description: string;
  unit: string;
  queries: { expr: string; legend: string }[];
}

/** Returns a page for Grafana: a row for each area of the catalogue, and a panel for each metric. */
export function grafanaDashboard(): object {
  let id = 0;
  let y = 0;
  const panels: object[] = [];
  for (const [area, metrics] of Object.entries(catalogue)) {
    id += 1;
    panels.push({
      id,
      type: 'row',
      title: area,
      collapsed: false,
      gridPos: { h: 1, w: 24, x: 0, y },
      panels: [],
    });
    y += 1;
    const ofArea = Object.entries<MetricDescription>(metrics).map(([name, metric]) =>
      panelOf(name as MetricName, metric),
    );
    for (const [index, panel] of ofArea.entries()) {
      id += 1;
      const place = { x: (index % panelsPerRow) * width, y: y + Math.floor(index / panelsPerRow) * height };
      panels.push(timeSeries(id, panel, { h: height, w: width, ...place }));
    }
    y += Math.ceil(ofArea.length / panelsPerRow) * height;
  }
  return {
    title: 'Team Memory Service',
    uid: 'team-memory',
    tags: ['team-memory'],
    editable: true,
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: {
      list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {} }],
    },
    panels,
  };
}

function panelOf(name: MetricName, { type, labels, what, watch }: MetricDescription): Panel {
  const title = name.replace('teammemory_', '').replaceAll('_', ' ');
  const description = [what, watch === '' ? '' : `Look at it when: ${watch}`].filter(Boolean).join('. ');
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
  const legend = labels.map((label) => `{{${label}}}`).join(' ') || 'all';
  if (type === 'counter') {
    const expr = `sum${by} (rate(${name}[$__rate_interval]))`;
    return { title: `${title}, per second`, description, unit: 'short', queries: [{ expr, legend }] };
  }
  if (type === 'histogram') {
    const quantile = (share: number) => ({
      expr: `histogram_quantile(${share}, sum by (le${groupOf(labels)}) (rate(${name}_bucket[$__rate_interval])))`,
      legend: `p${share * 100} ${labels[1] === undefined ? '' : `{{${labels[1]}}}`}`.trim(),
    });
    const unit = name.endsWith('_seconds') ? 's' : 'short';
    return { title, description, unit, queries: [quantile(0.5), quantile(0.99)] };
  }
  const unit = name.endsWith('_bytes') ? 'bytes' : name.endsWith('_seconds') ? 's' : 'short';
  return { title, description, unit, queries: [{ expr: `sum${by} (${name})`, legend }] };
}

/** Of a histogram with several labels one is enough to tell series apart: the second, route or method. */
function groupOf(labels: readonly string[]): string {
  return labels[1] === undefined ? '' : `, ${labels[1]}`;
}

function timeSeries(id: number, { title, description, unit, queries }: Panel, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    description,
    gridPos,
    // A variable of Grafana.
    datasource: { type: 'prometheus', uid: '$source' },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      expr,
      legendFormat: legend,
    })),
  };
}
