import { useEffect, useRef } from 'preact/hooks';
import { newestTimes } from './change-stream.ts';
import { useSettled } from './use-settled.ts';

/** A burst of changes is read once. */
const quietMs = 1_000;

/** Reads again when something changes while the component is shown. */
export function useReload(reload: () => void): void {
  const newest = useSettled(newestTimes.value, quietMs);
  const known = useRef(newest);
  useEffect(() => {
    if (known.current !== undefined && known.current !== newest) reload();
    known.current = newest;
  }, [newest]);
}
