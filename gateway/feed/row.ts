import type { CallOptions } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clients } from '../clients.ts';
import type { RouteDependencies } from '../route-dependencies.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of the ids of rows. */
export function isRowId(text: string): boolean {
  return uuid.test(text);
}

/** One row of a feed by its id: what it is called, and how content is asked for its JSON. */
export interface Row {
  name: 'task' | 'decision';
  readRow: (clients: Clients, id: string, options: CallOptions) => Promise<Uint8Array>;
}

/**
 * Makes the answer with one row for the caller of a request.
 * @throws AppError `not_found`, also for what is no id, without asking content: no row has it.
 */
export async function makeRow(
  { name, readRow }: Row,
  { clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>,
  request: FastifyRequest,
  id: string,
): Promise<{ encoding: 'identity'; body: Buffer }> {
  if (!isRowId(id)) throw new AppError('not_found', `There is no such ${name}.`);
  const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
  return answers.make(request, async () => answerOf(await readRow(clients, id, options)));
}

/** Returns the handler of one row, whose id is the rest of the path. */
export function rowRoute(row: Row, { clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': id } = request.params as { '*': string };
    return answers.send(request, reply, await makeRow(row, { clients, answers }, request, id));
  };
}

/** Returns an answer of parts, in memory of its own as pages are, which are known by their buffer. */
export function answerOf(...parts: Uint8Array[]): { encoding: 'identity'; body: Buffer } {
  const body = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return { encoding: 'identity', body };
}

/** Returns an answer of a value, in memory of its own. */
export function jsonAnswer<Value>(value: Value): { encoding: 'identity'; body: Buffer } {
  return answerOf(Buffer.from(JSON.stringify(value)));
}
