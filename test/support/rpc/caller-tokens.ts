import { type KeyObject, sign } from 'node:crypto';
import type { RunningService } from '../service/running-service.ts';
import { type RpcAnswer, rpcCall } from './rpc-call.ts';

/** What a caller token says; anything left out is as the gateway writes it. */
export interface TokenContents {
  audience: string;
  principal: object;
  algorithm?: 'EdDSA' | 'none';
  /** Seconds since the epoch; unset: now. */
  issuedAt?: number;
}

/** A caller token by hand, signed with any key: docs/security.md says what services expect of it. */
export function callerToken(privateKey: KeyObject, contents: TokenContents): string {
  const { audience, principal, algorithm = 'EdDSA', issuedAt = Math.floor(Date.now() / 1000) } = contents;
  const claims = { iss: 'team-memory', aud: audience, iat: issuedAt, exp: issuedAt + 60, principal };
  const text = [{ alg: algorithm }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${algorithm === 'none' ? '' : sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** A member of tier team, as a token names one. */
export function memberPrincipal(teamSlug: string, teamId = teamSlug): object {
  const member = { memberId: 'x', memberHandle: 'ada', tier: 'team', access: 'write', keyId: 'x' };
  return { kind: 'member', caller: { teamId, teamSlug, ...member } };
}

/** Exchanges a key or a service credential for the header that calls to one service carry. */
export async function exchange(
  { rpcUrl }: Pick<RunningService, 'rpcUrl'>,
  credential: string,
  audience = 'content',
): Promise<string> {
  const method = 'teammemory.auth.v1.AuthService/ExchangeCredential';
  const { code, message } = await rpcCall({
    rpcUrl,
    protocol: 'connect',
    method,
    message: { credential, audience },
  });
  if (code !== 'ok') throw new Error(`the exchange ended with ${code}`);
  return `Bearer ${message.token}`;
}

/** Calls a method of the content service as whoever the header stands for. */
export function callContent(
  { rpcUrl }: Pick<RunningService, 'rpcUrl'>,
  authorization: string,
  method: string,
  message: object = {},
): Promise<RpcAnswer> {
  const path = `teammemory.content.v1.ContentService/${method}`;
  return rpcCall({ rpcUrl, protocol: 'connect', method: path, message, authorization });
}
