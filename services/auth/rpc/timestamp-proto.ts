import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';

/** Milliseconds since the epoch, or null, as a field that may be unset. */
export function optionalTimestampToProto(ms: number | null): Timestamp | undefined {
  return ms === null ? undefined : timestampFromMs(ms);
}

/** A field that may be unset as milliseconds since the epoch, or null; finer fractions are rounded. */
export function optionalTimestampFromProto(timestamp: Timestamp | undefined): number | null {
  return timestamp === undefined ? null : timestampMs(timestamp);
}
