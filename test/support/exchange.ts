import { type RpcAnswer, rpcCall } from './rpc-call.ts';
import type { RunningService } from './running-service.ts';

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
