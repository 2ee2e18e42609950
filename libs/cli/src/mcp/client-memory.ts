import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { type AnswerPart, type Holder, type Memory, MemoryError } from '@teammemory/mcp/memory.ts';

/** The calls of the client that the tools need. */
export type MemoryClient = Pick<
  TeamMemoryClient,
  | 'search'
  | 'ask'
  | 'getItem'
  | 'getDecision'
  | 'getTask'
  | 'listItems'
  | 'listDecisions'
  | 'listTasks'
  | 'pushItems'
  | 'deleteItem'
  | 'listProposals'
  | 'getProposal'
>;

const withRemoved = { includeDeleted: true } as const;

/** Texts that no address can hold, so that the client refuses them as a row_key. */
const unsendable: ReadonlySet<string> = new Set(['', '.', '..']);

/**
 * Returns the memory that a key of the client sees. `holder` is asked for each time, because it may be learnt later.
 * Refusals and outages are MemoryError.
 */
export function createClientMemory(client: MemoryClient, holder: () => Holder): Memory {
  return {
    get holder() {
      return holder();
    },
    search: (question, options) => orRefused(() => client.search(question, options)),
    ask: (question, { signal }) => refusing(client.ask(question, { signal })),
    getItem: (rowKey, { signal }) =>
      orRefused(async () => {
        if (unsendable.has(rowKey)) throw new MemoryError('not_found', 'There is no such item.');
        return client.getItem(rowKey, { signal });
      }),
    getDecision: (decisionId, { signal }) => orRefused(() => client.getDecision(decisionId, { signal })),
    getTask: (taskId, { signal }) => orRefused(() => client.getTask(taskId, { signal })),
    listItems: (range, { signal }) =>
      orRefused(async () => {
        const page = await client.listItems({ ...range, ...withRemoved, view: 'summary', signal });
        return { rows: page.items, nextCursor: page.next_cursor, hasMore: page.has_more };
      }),
    listDecisions: (range, { signal }) =>
      orRefused(async () => {
        const page = await client.listDecisions({ ...range, ...withRemoved, signal });
        return { rows: page.decisions, nextCursor: page.next_cursor, hasMore: page.has_more };
      }),
    listTasks: ({ filter, ...range }, { signal }) =>
      orRefused(async () => {
        const isFiltered = Object.values(filter ?? {}).some((value) => value !== undefined);
        const part = isFiltered ? filter : withRemoved;
        const page = await client.listTasks({ ...range, ...part, signal });
        return { rows: page.tasks, nextCursor: page.next_cursor, hasMore: page.has_more };
      }),
    pushItem: (item, { signal }) =>
      orRefused(async () => {
        const { errors, proposed = 0 } = await client.pushItems([item], { signal });
        const [refused] = errors;
        if (refused === undefined) return { proposed: proposed > 0 };
        throw new MemoryError(refused.code, refused.detail, {
          currentChecksum: refused.current_checksum ?? undefined,
        });
      }),
    listProposals: (range, { signal }) => orRefused(() => client.listProposals({ ...range, signal })),
    getProposal: (proposalId, { signal }) => orRefused(() => client.getProposal(proposalId, { signal })),
    removeItem: ({ row_key, checksum: baseChecksum }, { signal }) =>
      orRefused(() => client.deleteItem(row_key, { baseChecksum, signal })),
  };
}

async function orRefused<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (thrown) {
    throw memoryErrorFrom(thrown);
  }
}

async function* refusing(parts: AsyncIterable<AnswerPart>): AsyncGenerator<AnswerPart> {
  try {
    yield* parts;
  } catch (thrown) {
    throw memoryErrorFrom(thrown);
  }
}

/** What the failures that have no code of the service are for an agent. */
const codesOfTransport = {
  cancelled: 'cancelled',
  timed_out: 'unavailable',
  unreachable: 'unavailable',
  invalid_answer: 'internal',
} as const;

/** Returns what a tool is told of a failure of the client. What is no failure of a call is returned as it is. */
export function memoryErrorFrom(thrown: unknown): unknown {
  if (thrown instanceof ProblemError) {
    const details = thrown.errors.map(({ pointer, detail }) => ` ${pointer.slice(1)} ${detail}.`);
    return new MemoryError(thrown.code, `${thrown.detail}${details.join('')}`, {
      cause: thrown,
      retryAfterSeconds: thrown.retryAfterSeconds,
      currentChecksum: thrown.currentChecksum ?? undefined,
    });
  }
  if (thrown instanceof TransportError) {
    return new MemoryError(codesOfTransport[thrown.code], thrown.message, { cause: thrown });
  }
  return thrown;
}
