import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { teamHeader } from '../service/api.ts';
import { connection } from '../service/session.ts';

/** When each list of the team changed last, as `GET /api/v1/events` tells it. */
export interface NewestTimes {
  items: string | null;
  tasks: string | null;
  decisions: string | null;
}

/** Waits between attempts to connect, doubled each time. */
const [firstWaitMs, longestWaitMs] = [1_000, 30_000];
/** The service sends something every 15 s; a stream on which nothing comes for longer is broken. */
const silenceMs = 40_000;

/** The newest times that are known; undefined until the stream has told some. */
export const newestTimes = signal<NewestTimes | undefined>(undefined);
/** Whether changes show by themselves at the moment. */
export const isLive = signal(false);

let followers = 0;
let following: AbortController | undefined;

/** Follows the changes of the team while the component is shown. All components share one stream. */
export function useChangeStream(): void {
  const isSignedIn = connection.value !== 'ended';
  useEffect(() => {
    if (!isSignedIn) return;
    followers += 1;
    if (following === undefined) {
      following = new AbortController();
      void follow(following.signal);
    }
    return () => {
      followers -= 1;
      if (followers > 0) return;
      following?.abort();
      following = undefined;
      isLive.value = false;
    };
  }, [isSignedIn]);
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await readStream(signal, () => {
        failures = 0;
      });
    } catch {
      // Whatever the reason is, the page says that it is not live, and tries again.
    }
    if (signal.aborted) return;
    isLive.value = false;
    failures += 1;
    await pause(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)), signal);
  }
}

async function readStream(signal: AbortSignal, onEvent: () => void): Promise<void> {
  const silent = new AbortController();
  const response = await fetch('/api/v1/events', {
    headers: teamHeader(),
    signal: AbortSignal.any([signal, silent.signal]),
  });
  if (!response.ok || response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => silent.abort(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (!/^event: ?changed$/m.test(event) || data === undefined) continue;
      newestTimes.value = JSON.parse(data) as NewestTimes;
      isLive.value = true;
      onEvent();
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
