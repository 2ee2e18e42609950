import {
  type AcquirePermit,
  type ConcurrencyBounds,
  createConcurrencyLimit,
} from '@teammemory/async/concurrency-limit.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** Bounds and measures how many answers are open: asked for, and not yet ended or given up. */
export function boundOpenAnswers(max: ConcurrencyBounds, metrics: Metrics): AcquirePermit {
  const { acquire, inUse } = createConcurrencyLimit(
    max,
    'Too many answers are being given at once; ask again.',
  );
  metrics.gauge('http_event_streams_open', 'Answers that are being streamed, or about to be.', inUse);
  return acquire;
}
