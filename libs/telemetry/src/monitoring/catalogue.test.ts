import { expect, test } from 'vitest';
import { helpOf, type MetricName, metricsByName } from './catalogue.ts';

const metrics = Object.entries(metricsByName) as [MetricName, (typeof metricsByName)[MetricName]][];

test('names have the prefix of the service, and counters alone end with _total', () => {
  expect(metrics.length).toBeGreaterThan(60);
  for (const [name, { type }] of metrics) {
    expect(name).toMatch(/^teammemory_[a-z]+(_[a-z]+)+$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
  }
});

test('no label can grow with what clients send', () => {
  const labels = new Set(metrics.flatMap(([, metric]) => [...metric.labels]));
  for (const label of ['team', 'key', 'path', 'row_key', 'user']) expect(labels).not.toContain(label);
});

test('help texts are sentences without Markdown', () => {
  for (const [name] of metrics) expect(helpOf(name), name).toMatch(/^[^`[\]]+\.$/);
});
