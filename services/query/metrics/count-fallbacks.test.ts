import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { countFallbacks } from './metered-models.ts';

test('fallbacks are counted by reason, from 0 on', async () => {
  const metrics = createMetrics();
  const fellBack = countFallbacks(metrics);
  fellBack('silent');
  fellBack('silent');
  const text = await metrics.registry.metrics();
  expect(text).toContain('teammemory_model_fallbacks_total{reason="failed"} 0');
  expect(text).toContain('teammemory_model_fallbacks_total{reason="silent"} 2');
});
