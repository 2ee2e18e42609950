import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';

const rules = join(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml');

/** Declares tests that need promtool, of Debian's package `prometheus`; without it they are skipped, and the name says so. */
export function describeWithPromtool(name: string, declareTests: () => void): void {
  const isThere = spawnSync('promtool', ['--version']).status === 0;
  if (isThere) describe(name, declareTests);
  else describe.skip(`${name} (skipped: no promtool on the path)`, declareTests);
}

/** Runs promtool to its end. */
export function promtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, {
    encoding: 'utf8',
    input,
    timeout: 60_000,
  });
  if (error !== undefined) throw error;
  return { code: status, output: stdout + stderr };
}

/** The samples of a scrape by series. */
export function samplesOf(metrics: string): Map<string, number> {
  const lines = metrics.split('\n').filter((line) => line.startsWith('teammemory_'));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(' ');
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

/** How long what was seen between two scrapes goes on, in minutes. */
const lastingMinutes = 60;
/** When gauges change. */
const changedMinute = 10;
/** After it has gone on for so long, alerts are looked at. */
const lookedAtMinute = 40;

/** What a machine that others use too raises by itself. */
const alertsOfBusyMachine = new Set(['TeamMemorySlow', 'TeamMemoryEventLoopBlocked', 'TeamMemoryDiskSlow']);

/**
 * Returns the alerts that fire if what happened between two scrapes happens again in every minute: counters rise by as much,
 * gauges become what they are in the second scrape after ten minutes. A series that is new in the second scrape was 0.
 * Alerts that tell that everything is slow are left out.
 */
export function alertsRaisedBy(before: string, after: string): string[] {
  const first = samplesOf(before);
  const series = [...samplesOf(after)].map(([name, value]) => {
    const isGauge = !/_(total|count|sum|bucket)(\{|$)/.test(name);
    const was = first.get(name) ?? 0;
    const values = isGauge
      ? `${was}x${changedMinute} ${value}x${lastingMinutes}`
      : `${was}+${value - was}x${lastingMinutes}`;
    return { series: name, values };
  });
  return alertsInSeries(series, lookedAtMinute).filter((name) => !alertsOfBusyMachine.has(name));
}

/** Returns the alerts that fire at a minute, for series in the notation of promtool with a value for each minute. */
export function alertsInSeries(
  series: readonly { series: string; values: string }[],
  minute: number,
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'teammemory-test-'));
  try {
    const file = join(folder, 'test.yaml');
    const question = {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minute}m`,
    };
    // No sample is expected, so promtool tells those that it got.
    const tests = [
      { interval: '1m', input_series: series, promql_expr_test: [{ ...question, exp_samples: [] }] },
    ];
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const { output } = promtool(['test', 'rules', file]);
    if (!/SUCCESS|FAILED/.test(output)) throw new Error(`promtool: ${output}`);
    return [...output.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name).toSorted();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
