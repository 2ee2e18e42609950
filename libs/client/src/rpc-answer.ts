import { RpcError, toRpcError } from './rpc-error.ts';

/** Runs a call and throws RpcError for whatever it throws. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RpcError ? thrown : toRpcError(thrown);
  }
}

/** Message fields are optional in proto3; a service that leaves one of these out is not ours. */
export function given<Message>(message: Message | undefined): Message {
  if (message === undefined)
    throw new RpcError('invalid_answer', 'The server left out what it was asked for.');
  return message;
}

/** Reads a list to its end, page by page. Throws RpcError, also for a list that does not advance. */
export async function* everyPage<Page extends { nextPageToken: string }>(
  read: (pageToken: string) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let pageToken = ''; ; ) {
    const page = await translated(() => read(pageToken));
    yield page;
    if (page.nextPageToken === '') return;
    if (page.nextPageToken === pageToken) throw new RpcError('invalid_answer', 'The list does not advance.');
    pageToken = page.nextPageToken;
  }
}
