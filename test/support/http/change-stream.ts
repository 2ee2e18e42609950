import { onTestFinished } from 'vitest';
import type { RunningService, Team } from '../service/running-service.ts';
import { readEvents } from './events.ts';

/** The newest times that an event tells. */
export interface ChangedTimes {
  items: string | null;
  tasks: string | null;
  decisions: string | null;
}

/** An open stream of GET /events. It is left when the test ends. */
export interface ChangeStream {
  status: number;
  headers: Headers;
  /** The events so far. */
  events(): ChangedTimes[];
  /** Resolves when the service ends the stream; rejects if it breaks off. */
  ended: Promise<void>;
  hangUp(): void;
}

/** Opens a stream of changes with a key. */
export async function openChanges(
  service: Pick<RunningService, 'url'>,
  { slug }: Pick<Team, 'slug'>,
  key: string,
): Promise<ChangeStream> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${service.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${key}`, 'x-svc-team': slug },
    signal: leaving.signal,
  });
  let received = '';
  async function receive(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true });
  }
  const ended = receive();
  ended.catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    events() {
      const whole = received.slice(0, received.lastIndexOf('\n\n') + 2);
      return whole === '' ? [] : readEvents(whole).map(({ data }) => data);
    },
    ended,
    hangUp: () => leaving.abort(),
  };
}
