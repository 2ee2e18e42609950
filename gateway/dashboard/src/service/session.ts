import { signal } from '@preact/signals';
import { problemFromResponse } from './problem.ts';

/** Who is signed in, as `GET /session` says it. */
export interface Session {
  /** Slug of the team. */
  team: string;
  /** Handle of the member. */
  member: string;
  role: 'admin' | 'member';
  tier: 'team' | 'external';
  access: 'read' | 'own' | 'write';
  key_id: string;
  /** ISO 8601; the session ends then at the latest. */
  expires_at: string;
}

interface SessionAnswer {
  session: Session | null;
  sign_in: { oidc: boolean };
}

/** Who is signed in: null if nobody is, undefined until that is known. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether people can sign in with the organisation's own accounts. */
export const hasOidc = signal(false);

/** Why nobody is signed in any more, for the sign-in page; empty if there is nothing to say. */
export const signedOutReason = signal('');

/** What a key or a link is exchanged for a session by. */
export type Credential = { key: string } | { sign_in_token: string };

/** Asks the service who is signed in. Throws what `fetch` throws. */
export async function loadSession(): Promise<void> {
  take(await send('GET'));
}

/** Signs in. @throws Problem if the key or link is not valid. */
export async function signIn(credential: Credential): Promise<void> {
  take(await send('POST', credential));
  signedOutReason.value = '';
}

/** Ends this session, or all sessions of this member in this team. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  await send('DELETE', undefined, everywhere ? '?everywhere=true' : '');
  session.value = null;
}

/** Takes note that a call was refused because the session has ended. */
export function sessionEnded(): void {
  if (session.value === null) return;
  signedOutReason.value = 'Your session has ended. Sign in again to go on.';
  session.value = null;
}

/** Whether the session may change anything. */
export function mayWrite(): boolean {
  return session.value?.access !== 'read' && session.value !== null && session.value !== undefined;
}

/** Whether the session belongs to a member of the team and not to a guest. */
export function isTeamMember(): boolean {
  return session.value?.tier === 'team';
}

/** Whether the session may look after members and keys. */
export function isTeamAdministrator(): boolean {
  const { role, tier, access } = session.value ?? {};
  return role === 'admin' && tier === 'team' && access === 'write';
}

function take(answer: SessionAnswer): void {
  session.value = answer.session;
  hasOidc.value = answer.sign_in.oidc;
}

async function send(method: string, body?: object, query = ''): Promise<SessionAnswer> {
  const response = await fetch(`/session${query}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw await problemFromResponse(response);
  return response.status === 204 ? { session: null, sign_in: { oidc: hasOidc.value } } : response.json();
}
