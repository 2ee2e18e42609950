import { problemFromResponse } from './problem.ts';
import { type Session, sessionEnded } from './session.ts';

/** The app that asks. */
export interface AskingClient {
  /** The host of the app's document; null for an app that registered itself. */
  host: string | null;
  /** What the app calls itself. */
  name: string | null;
  /** Where its answer is sent; null for a program on this machine. */
  redirect_host: string | null;
}

/** A request that is wrong, in words of the app's makers, and where the app is told so. */
export interface RefusedRequest {
  client: AskingClient;
  refused: string;
  location: string;
}

/** What an app asks for, as `POST /oauth/consent` says it. */
export interface AppRequest extends Pick<Session, 'team' | 'member' | 'tier'> {
  refused?: undefined;
  client: AskingClient;
  /** What can be given, from least to most. */
  access: Session['access'][];
  /** For how many days it can be given. */
  days: number[];
}

/** What a person decides. */
export type ConsentDecision =
  | 'decline'
  | ({ access: Session['access']; days: number } & Pick<AppRequest, 'team' | 'member' | 'tier'>);

/** Asks what an app wants, by the query that it sent the browser with. @throws Problem. */
export function readAppRequest(request: string): Promise<AppRequest | RefusedRequest> {
  return send({ request });
}

/** Decides, and returns where the browser goes on. @throws Problem. */
export async function decide(request: string, decision: ConsentDecision): Promise<string> {
  const { location } = await send<{ location: string }>({ request, decision });
  return location;
}

async function send<Answer>(body: object): Promise<Answer> {
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
