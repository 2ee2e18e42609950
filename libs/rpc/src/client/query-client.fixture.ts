import { type CallOptions, type Client, createClient } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { onTestFinished } from 'vitest';
import { appErrorFromRpc } from '../error-translation.ts';
import { createNetworkTransport, type NetworkTransportOptions } from './network-transport.ts';

export type QueryClient = Client<typeof QueryService>;

/** Clients over one network transport, which is closed at the end of the test. */
export function connectTo(urls: string[], more: Partial<NetworkTransportOptions> = {}) {
  const transport = createNetworkTransport({ urls, log: silentLog(), ...more });
  onTestFinished(transport.close);
  const [query, content] = [createClient(QueryService, transport), createClient(ContentService, transport)];
  return { transport, query, content };
}

/** The name of the server that answers. */
export async function whoAnswers(query: QueryClient, options: CallOptions = {}): Promise<string> {
  return (await query.search({}, options)).passages[0]?.text ?? '';
}

/** The texts of a stream. */
export async function readStream(query: QueryClient, question: string, options: CallOptions = {}) {
  const texts: string[] = [];
  for await (const { part } of query.ask({ question }, options)) {
    texts.push(part.case === 'delta' ? part.value.text : `${part.case}`);
  }
  return texts;
}

/** The code of ours that a call failed with, `ok` when it did not. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error) => appErrorFromRpc(error).code,
  );
}
