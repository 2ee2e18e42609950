import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { teamHeader } from '../service/api.ts';
import { isSignedOut, problemFromResponse, problemOf } from '../service/problem.ts';
import { connection, session, sessionEnded, setReachable } from '../service/session.ts';

/** When each list of the team changed last, as `GET /api/v1/events` tells it. */
export interface NewestTimes {
  items: string | null;
  tasks: string | null;
  decisions: string | null;
}

/** What the tab that has the stream tells the others. */
interface StreamState {
  newest: NewestTimes | undefined;
  isLive: boolean;
  isReachable: boolean;
}

/** Waits between attempts to connect, doubled each time. */
const [firstWaitMs, longestWaitMs] = [1_000, 10_000];
/** The service sends something every 15 s; a stream on which nothing comes for longer is broken. */
const silenceMs = 40_000;
/** What a tab says that wants to know the state. */
const question = 'state?';

/** The newest times that are known; undefined until the stream has told some. */
export const newestTimes = signal<NewestTimes | undefined>(undefined);
/** Whether changes show by themselves at the moment. */
export const isLive = signal(false);

/**
 * Follows the changes of the team, whether the session lasts, and whether the service can be reached, while the component is
 * shown. All tabs of a browser share one stream, because a browser opens six connections at most: the visible tab that has
 * a lock reads it and tells the others. While no tab is visible there is none, and a hidden tab asks for nothing.
 */
export function useChangeStream(): void {
  const { team, member, tier } = session.value ?? {};
  const who = connection.value === 'ended' ? '' : JSON.stringify([team, member, tier]);
  useEffect(() => {
    if (who === '') return;
    const name = `changes ${who}`;
    const tabs = new BroadcastChannel(name);
    let isReader = false;
    let visible: AbortController | undefined;

    async function read({ signal }: AbortController): Promise<void> {
      isReader = true;
      await follow(signal).finally(() => {
        isReader = false;
      });
    }
    function look(): void {
      if (!document.hidden && visible === undefined) {
        visible = new AbortController();
        const now = visible;
        tabs.postMessage(question);
        // Over plain HTTP from another machine browsers have no locks: each tab that is looked at has a stream then.
        if (navigator.locks === undefined) void read(now);
        // The wait ends with an error when the tab is hidden.
        else navigator.locks.request(name, { signal: now.signal }, () => read(now)).catch(() => undefined);
      }
      if (document.hidden) leave();
    }
    function leave(): void {
      visible?.abort();
      visible = undefined;
      isLive.value = false;
    }
    const state = (): StreamState => ({
      newest: newestTimes.value,
      isLive: isLive.value,
      isReachable: connection.value !== 'offline',
    });
    tabs.onmessage = ({ data }: MessageEvent<StreamState | typeof question>) => {
      if (data === question) {
        if (isReader) tabs.postMessage(state());
      } else if (!isReader && !document.hidden) {
        setNewest(data.newest);
        isLive.value = data.isLive;
        setReachable(data.isReachable);
      }
    };
    const stopTelling = effect(() => {
      const now = state();
      if (isReader) tabs.postMessage(now);
    });
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      leave();
      stopTelling();
      tabs.close();
    };
  }, [who]);
}

/** Reads streams, one after the other, until the signal aborts. */
async function follow(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    let isHeard = false;
    try {
      await readStream(signal, () => {
        isHeard = true;
        failures = 0;
      });
    } catch (thrown) {
      if (signal.aborted) return;
      const problem = problemOf(thrown);
      if (isSignedOut(problem)) return sessionEnded();
      // A proxy may have cut a stream that had begun. The next attempt shows whether the service is there.
      if (!isHeard && problem.requestId === '') setReachable(false);
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
  if (!response.ok || response.body === null) throw await problemFromResponse(response);
  setReachable(true);
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
      setNewest(JSON.parse(data));
      isLive.value = true;
      onEvent();
    }
  }
}

/** A new stream repeats the times that are known; nothing is read anew for that. */
function setNewest(newest: NewestTimes | undefined): void {
  if (JSON.stringify(newest) !== JSON.stringify(newestTimes.value)) newestTimes.value = newest;
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
