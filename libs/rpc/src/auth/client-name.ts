import type { HandlerContext } from '@connectrpc/connect';
import { isClientName } from '@teammemory/vocabulary/client-name.ts';
import { isMadeByPart } from './client-address.ts';

/** The header in which the gateway tells with which program a caller works. */
export const clientNameHeader = 'x-client-name';

/** Returns with which program a call was made, as the gateway tells it. Undefined where it does not, and for direct calls. */
export function clientNameOf(context: Pick<HandlerContext, 'values' | 'requestHeader'>): string | undefined {
  const name = isMadeByPart(context) ? (context.requestHeader.get(clientNameHeader) ?? '') : '';
  return isClientName(name) ? name : undefined;
}
