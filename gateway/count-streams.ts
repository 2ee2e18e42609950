import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** Told of an event stream that opens; answers what to call when it is over. */
export type StreamOpened = () => () => void;

/** Measures how many event streams are open. */
export function countStreams(metrics: Metrics): StreamOpened {
  let open = 0;
  metrics.gauge('http_event_streams_open', 'Answers that are being streamed.', () => open);
  return () => {
    open += 1;
    return () => {
      open -= 1;
    };
  };
}
