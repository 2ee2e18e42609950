import { signal } from '@preact/signals';
import type { Access } from '@teammemory/vocabulary/access.ts';
import { problemFromResponse } from './problem.ts';

/** Who is signed in, as `GET /session` says it. */
export interface Session {
  /** Slug of the team. */
  team: string;
  /** Handle of the member. */
  member: string;
  role: 'admin' | 'member';
  tier: 'team' | 'external';
  access: Access;
  key_id: string;
  /** ISO 8601; the session ends then at the latest. */
  expires_at: string;
}

interface SessionAnswer {
  session: Session | null;
  sign_in: { oidc: boolean };
  /** The whole key that an invitation made; the service tells it only here. */
  key?: string;
}

/** Who is signed in: null if nobody is, undefined until that is known. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether people can sign in with the organisation's own accounts. */
export const hasOidc = signal(false);

/**
 * How a page stands with the service: `offline` while nothing answers, `ended` once the session has ended without the page
 * having signed out. What the page shows, and what was typed into it, stays until somebody signs in again.
 */
export const connection = signal<'open' | 'offline' | 'ended'>('open');

/** What a person signs in with. */
export type Credential =
  | { key: string }
  | { sign_in_token: string }
  | { invitation_token: string; member: string };

/** What an invitation gives, as `POST /session/invitation` says it. */
export interface Invitation extends Pick<Session, 'team' | 'role' | 'tier' | 'access' | 'expires_at'> {
  /** Name of the team for people. */
  team_name: string;
  /** Handle of the administrator who made it. */
  invited_by: string;
}

/** The other tabs of this browser: they have the same cookie, and learn here who signed in or out with it. */
const tabs = new BroadcastChannel('session');
tabs.onmessage = ({ data }: MessageEvent<SessionAnswer | 'ended'>) => {
  // Whoever signed out stays signed out.
  if (!session.value) return;
  if (data === 'ended') connection.value = 'ended';
  else take(data);
};

/** Asks the service who is signed in. Throws what `fetch` throws. */
export async function loadSession(): Promise<void> {
  const answer = await send('GET');
  take(answer);
  if (answer.session !== null) tabs.postMessage(answer);
}

/** Signs in; returns the key that an invitation made, or ''. @throws Problem if the key or link is not valid. */
export async function signIn(credential: Credential): Promise<string> {
  const { key = '', ...answer } = await send('POST', credential);
  take(answer);
  tabs.postMessage(answer);
  return key;
}

/** Reads what an invitation gives, without taking it. @throws Problem if it is not open. */
export async function readInvitation(token: string): Promise<Invitation> {
  return (await fetchSession('POST', { invitation_token: token }, '/invitation')).json();
}

/** Ends this session, or all sessions of this member in this team. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  await send('DELETE', undefined, everywhere ? '?everywhere=true' : '');
  session.value = null;
  connection.value = 'open';
  tabs.postMessage('ended');
}

/** Takes note that a call was refused because the session has ended. */
export function sessionEnded(): void {
  if (!session.value || connection.value === 'ended') return;
  connection.value = 'ended';
  tabs.postMessage('ended');
}

/** Takes note whether the service can be reached. */
export function setReachable(isReachable: boolean): void {
  if (connection.value !== 'ended') connection.value = isReachable ? 'open' : 'offline';
}

/** Asks whether the session of the page that is open is still valid, and takes note of the answer. */
export async function checkSession(): Promise<void> {
  try {
    const answer = await send('GET');
    // Whoever signed out meanwhile stays signed out.
    if (!session.value) return;
    if (answer.session === null) sessionEnded();
    else take(answer);
  } catch {
    setReachable(false);
  }
}

/** Whether the session may change anything. */
export function mayWrite(): boolean {
  const { access } = session.value ?? {};
  return access === 'own' || access === 'write';
}

/** Whether the session may change what `updated_by` wrote last, if its tier sees it. */
export function mayChange({ updated_by }: { updated_by: string }): boolean {
  const { access, member } = session.value ?? {};
  return access === 'write' || (access === 'own' && updated_by === member);
}

/** Whether the session belongs to a member of the team and not to a guest. */
export function isTeamMember(): boolean {
  return session.value?.tier === 'team';
}

/** Whether the session may look after members and keys. */
export function isTeamAdministrator(): boolean {
  return session.value?.role === 'admin' && mayMakeKeys();
}

/** Whether the session decides about what others propose. */
export function isReviewer(): boolean {
  return mayMakeKeys();
}

/** Whether the session may make keys for its own member: with less, a key was handed to a guest or an agent. */
export function mayMakeKeys(): boolean {
  const { tier, access } = session.value ?? {};
  return tier === 'team' && access === 'write';
}

function take(answer: SessionAnswer): void {
  const before = session.value;
  // Somebody else's rows must not stay on the page, nor be asked for in the name of the wrong team.
  if (before && answer.session && !isSameMember(before, answer.session)) location.reload();
  // Every check would draw the page anew if it replaced what has not changed.
  if (!isSameSession(before, answer.session)) session.value = answer.session;
  hasOidc.value = answer.sign_in.oidc;
  connection.value = 'open';
}

function isSameMember(one: Session, other: Session): boolean {
  return one.team === other.team && one.member === other.member && one.tier === other.tier;
}

function isSameSession(one: Session | null | undefined, other: Session | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function send(method: string, body?: object, query = ''): Promise<SessionAnswer> {
  const response = await fetchSession(method, body, query);
  return response.status === 204 ? { session: null, sign_in: { oidc: hasOidc.value } } : response.json();
}

async function fetchSession(method: string, body: object | undefined, more: string): Promise<Response> {
  const response = await fetch(`/session${more}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw await problemFromResponse(response);
  return response;
}
