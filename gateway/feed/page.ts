import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { CallOptions } from '@connectrpc/connect';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clients } from '../clients.ts';
import { validate } from '../contract/validate.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { PageParameters } from './contract.ts';

/** A feed whose pages are not cached. */
export interface Feed<Parameters extends PageParameters = PageParameters> {
  /** The member of the answer with the rows. */
  name: string;
  /** Checks the query of a request. */
  query: z.ZodType<Parameters>;
  /** Asks content for a page. */
  readPage: (
    clients: Clients,
    request: { page: ReturnType<typeof pageRequest>; parameters: Parameters },
    options: CallOptions,
  ) => Promise<{ page?: Page | undefined }>;
}

/**
 * Makes a page of a feed for the caller of a request, when it is the team's turn.
 * @throws AppError `invalid_request` for a query that is none of the feed's.
 */
export async function makeFeedPage<Parameters extends PageParameters>(
  { query, readPage }: Feed<Parameters>,
  { clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>,
  request: FastifyRequest,
  unchecked: unknown,
): Promise<{ encoding: 'identity'; body: Buffer }> {
  const parameters = validate(query, unchecked);
  const page = pageRequest(parameters);
  const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
  return answers.make(request, async () => ({
    encoding: 'identity' as const,
    body: pageBody((await readPage(clients, { page, parameters }, options)).page),
  }));
}

/** Returns the handler of a feed. */
export function feedRoute<Parameters extends PageParameters>(
  feed: Feed<Parameters>,
  { clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await makeFeedPage(feed, { clients, answers }, request, request.query);
    return answers.send(request, reply, page);
  };
}

/** Returns the parameters of a feed in the form of the RPC. */
export function pageRequest(parameters: PageParameters) {
  const { since, cursor, limit, include_deleted } = parameters;
  return {
    ...(since === undefined ? {} : { since: timestampFromMs(since) }),
    cursor: cursor ?? '',
    limit: limit ?? 0,
    includeDeleted: include_deleted ?? false,
    wholeAnswer: true,
  };
}

/** Returns the body of a page, which is JSON already and is not parsed. */
export function pageBody(page: Page | undefined): Buffer {
  const { buffer, byteOffset, length } = page?.answerJson ?? new Uint8Array();
  return Buffer.from(buffer, byteOffset, length);
}
