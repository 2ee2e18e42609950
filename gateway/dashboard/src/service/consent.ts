import { problemFromResponse } from './problem.ts';
import { type Session, sessionEnded } from './session.ts';

/** What an app asks for, as `POST /oauth/consent` says it; `location` instead where the app is to be told something at once. */
export interface AppRequest extends Pick<Session, 'team' | 'member' | 'tier'> {
  location?: undefined;
  client: {
    /** The host of the app's document. */
    host: string;
    /** What the app calls itself. */
    name: string | null;
    /** Where its answer is sent; null for a program on this machine. */
    redirect_host: string | null;
  };
  /** What can be given, from least to most. */
  access: Session['access'][];
  /** For how many days it can be given. */
  days: number[];
}

/** What a person decides. */
export type ConsentDecision = 'decline' | { access: Session['access']; days: number };

/** Asks what an app wants, by the query that it sent the browser with. @throws Problem. */
export function readAppRequest(request: string): Promise<AppRequest | { location: string }> {
  return send({ request });
}

/** Decides, and returns where the browser goes on. @throws Problem. */
export async function decide(request: string, decision: ConsentDecision): Promise<string> {
  const { location } = (await send({ request, decision })) as { location: string };
  return location;
}

async function send(body: object): Promise<AppRequest | { location: string }> {
  const response = await fetch('/oauth/consent', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  if (response.ok) return response.json();
  if (response.status === 401) sessionEnded();
  throw await problemFromResponse(response);
}
