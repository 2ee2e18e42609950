import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FallbackReason } from '../domain/answer/answer-model-call.ts';

/** Counts the answers of quotes that stand in for written ones, by why. */
export function countFallbacks(metrics: Metrics): (reason: FallbackReason) => void {
  const help = 'Answers of quotes in place of written ones, by why.';
  const failed = metrics.counter('model_fallbacks_total', help, { reason: 'failed' });
  const silent = metrics.counter('model_fallbacks_total', help, { reason: 'silent' });
  const raise: Record<FallbackReason, () => void> = { failed, silent };
  return (reason) => raise[reason]();
}
