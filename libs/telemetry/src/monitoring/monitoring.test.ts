import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPromtool, promtool } from '@teammemory/testkit/promtool.ts';
import { describe, expect, test } from 'vitest';
import { alerts } from './alerts.ts';
import { metricsByName } from './catalogue.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { monitoringFiles } from './make-files.ts';

const root = join(import.meta.dirname, '../../../..');
const rules = (name: string) => join(root, 'deploy/prometheus', name);

test.each(Object.entries(monitoringFiles()))('%s is what npm run monitoring makes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

/** Metrics and labels that a PromQL expression names, roughly: enough for a name that is none. */
function namesIn(expression: string): string[] {
  return [...expression.matchAll(/\bteammemory_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
}

describe('alerts and the Grafana page', () => {
  const page = JSON.stringify(grafanaDashboard());
  const known = Object.keys(metricsByName);

  test('name only metrics that there are', () => {
    const named = [...alerts.map(({ expression }) => expression), page].flatMap(namesIn);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('use only labels that the metric has', () => {
    for (const { name, expression, raisedBy } of alerts) {
      for (const [, metric = '', labels = ''] of `${expression} ${Object.keys(raisedBy).join(' ')}`.matchAll(
        /\b(teammemory_[a-z_]+)\{([^}]*)\}/g,
      )) {
        const used = [...labels.matchAll(/([a-z]+)(?:=~|!~|!=|=)/g)].map(([, label]) => label);
        const base = metric.replace(/_(bucket|sum|count)$/, '') as keyof typeof metricsByName;
        const allowed = [...(metricsByName[base]?.labels ?? []), 'le'];
        expect(
          used.filter((label) => !allowed.includes(label ?? '')),
          `${name}: ${metric}`,
        ).toEqual([]);
      }
    }
  });

  test('show every metric', () => {
    expect(known.filter((name) => !page.includes(name))).toEqual([]);
  });

  test('have names, words and something to do', () => {
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
    for (const { name, summary, todo } of alerts) {
      expect(name).toMatch(/^TeamMemory[A-Z]\w+$/);
      expect(summary).toMatch(/\.$/);
      expect(todo.length, name).toBeGreaterThan(40);
    }
  });
});

describeWithPromtool('Prometheus', () => {
  test('takes the rules', () => {
    expect(promtool(['check', 'rules', rules('alerts.yaml')])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${alerts.length} rules found`),
    });
  });

  test('raises each alert for its series and no other, and none for a quiet service', () => {
    const { code, output } = promtool(['test', 'rules', rules('alerts.test.yaml')]);
    expect(code, output).toBe(0);
  });
});
