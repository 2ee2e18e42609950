import { type PlacesMax, type TakePlace, teamPlaces } from '@teammemory/rpc/team-places.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** Bounds and measures how many answers are open: asked for, and not yet ended or given up. */
export function boundOpenAnswers(max: PlacesMax, metrics: Metrics): TakePlace {
  const { take, taken } = teamPlaces(max, 'Too many answers are being given at once; ask again.');
  metrics.gauge('http_event_streams_open', 'Answers that are being streamed, or about to be.', taken);
  return take;
}
