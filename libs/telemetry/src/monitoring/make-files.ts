import { stringify } from 'yaml';
import { type Alert, alerts } from './alerts.ts';
import { catalogue, type MetricDescription } from './catalogue.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';

/** Minutes of example series; the longest alert takes an hour to be raised. */
const exampleMinutes = 90;

/** Returns what is made from the catalogue of metrics and the list of alerts, by path in the repository. */
export function monitoringFiles(): Record<string, string> {
  const rules = madeYaml(ruleFile());
  const dashboard = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  return {
    'docs/metrics.md': metricsPage(),
    'deploy/prometheus/alerts.yaml': rules,
    'deploy/prometheus/alerts.test.yaml': madeYaml(ruleTests()),
    'deploy/grafana/team-memory.json': dashboard,
    // A chart can have only what lies in its folder.
    'deploy/helm/files/alerts.yaml': rules,
    'deploy/helm/files/team-memory.json': dashboard,
  };
}

function madeYaml(content: object): string {
  return `# Made by npm run monitoring.\n${stringify(content, { lineWidth: 0 })}`;
}

function metricsPage(): string {
  const areas = Object.entries(catalogue).map(
    ([area, metrics]) =>
      `## ${area}\n\n${Object.entries<MetricDescription>(metrics).map(metricLine).join('\n')}\n`,
  );
  return `# Metrics

Every metric with its labels, and what to watch: a value, or an alert. Alerts say what to do in their annotation
\`description\` ([the rules](../deploy/prometheus/alerts.yaml)). \`npm run monitoring\` makes both from
\`libs/telemetry/src/monitoring/\`.

\`GET /metrics\` on \`METRICS_PORT\` returns Prometheus' text format, with Node's own metrics (\`process_…\`, \`nodejs_…\`).
Names of counters end with \`_total\`; \`# TYPE\` in the answer says what the others are. Labels are fixed names such as
routes and codes, never paths, teams or keys. Each process has the metrics that concern it.

${areas.join('\n')}`;
}

/** A line of docs/metrics.md. An alert says better than words when to look at a metric. */
function metricLine([name, { labels, what, watch }]: [string, MetricDescription]): string {
  const raised = alerts.filter(({ expression }) =>
    new RegExp(`\\b${name}(_bucket|_count|_sum)?\\b`).test(expression),
  );
  const when = raised.length === 0 ? watch : raised.map((alert) => alert.name).join(', ');
  const labelled = labels.length === 0 ? '' : ` (${labels.join(', ')})`;
  return `- \`${name}\`${labelled}: ${what}${when === '' ? '' : `. **Watch:** ${when}`}`;
}

function ruleFile(): object {
  return {
    groups: [
      {
        name: 'team-memory',
        rules: alerts.map((alert) => ({
          alert: alert.name,
          expr: alert.expression,
          for: alert.lasting,
          labels: { severity: alert.severity },
          annotations: annotationsOf(alert),
        })),
      },
    ],
  };
}

/** What is wrong, and what to do. Links become the paths of pages, because an alert is read as plain text. */
function annotationsOf({ summary, todo }: Alert): { summary: string; description: string } {
  return { summary, description: todo.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)') };
}

/** For each alert that its series raise it and no other; and that the series of a quiet service raise none. */
function ruleTests(): object {
  const quiet = { 'teammemory_build_info{version="0.2.0"}': `1x${exampleMinutes}` };
  const seriesOf = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([series, samples]) => ({ series, values: samples }));
  const example = (name: string | undefined, series: Readonly<Record<string, string>>) => ({
    name: name === undefined ? 'a quiet service' : name,
    interval: '1m',
    input_series: seriesOf(series),
    promql_expr_test: [raised(name, evalMinute(name))],
  });
  return {
    rule_files: ['alerts.yaml'],
    evaluation_interval: '1m',
    tests: [
      example(undefined, quiet),
      ...alerts.map(({ name, raisedBy }) =>
        example(name, name === 'TeamMemoryAbsent' ? raisedBy : { ...quiet, ...raisedBy }),
      ),
    ],
  };
}

/** When examples are looked at: late enough for every alert, and early enough for those of what happens once. */
function evalMinute(name: string | undefined): number {
  if (name === 'TeamMemoryVersionsDiffer') return 75;
  return 25;
}

/** That exactly one alert is firing. */
function raised(name: string | undefined, minute: number): object {
  return {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: name === undefined ? [] : [{ labels: `{alertname="${name}"}`, value: 1 }],
  };
}
