import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  Client,
  type ProtocolEra,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import {
  type AnswerPart,
  type Decision,
  type Holder,
  type Item,
  type Memory,
  MemoryError,
  type NewItem,
  type Passage,
  type Task,
} from './memory.ts';
import { createMemoryServer, type MemoryServerOptions } from './memory-server.ts';

/** A memory in lists that tests fill and read. */
export class ListedMemory implements Memory {
  holder: Holder = { team: 'blue', member: 'ada', tier: 'team', access: 'write' };
  items: Item[] = [];
  decisions: Decision[] = [];
  taskRows: Task[] = [];
  passages: Passage[] = [];
  /** The one that changed last first. */
  proposals: ListedProposal[] = [];
  answer: AnswerPart[] = [];
  /** Thrown by every method, if set. */
  fault: unknown;
  /** What was asked, in order. */
  calls: [method: string, ...given: unknown[]][] = [];

  private called(method: string, ...given: unknown[]): void {
    this.calls.push([method, ...given]);
    if (this.fault !== undefined) throw this.fault;
  }

  async search(question: string, { signal: _, limit, ...filter }: Parameters<Memory['search']>[1]) {
    this.called('search', question, limit, filter);
    return { passages: this.passages.slice(0, limit), incomplete: false };
  }

  async *ask(question: string) {
    this.called('ask', question);
    yield* this.answer;
  }

  async getItem(rowKey: string) {
    this.called('getItem', rowKey);
    return this.items.find(({ row_key }) => row_key === rowKey) ?? missing();
  }

  async getDecision(decisionId: string) {
    this.called('getDecision', decisionId);
    return this.decisions.find(({ decision_id }) => decision_id === decisionId) ?? missing();
  }

  async editDecision(decision: Decision, body: string) {
    this.called('editDecision', decision.decision_id);
    this.decisions = this.decisions.map((each) => (each === decision ? { ...each, body } : each));
  }

  async getTask(taskId: string) {
    this.called('getTask', taskId);
    return this.taskRows.find(({ task_id }) => task_id === taskId) ?? missing();
  }

  async listItems(range: Parameters<Memory['listItems']>[0]) {
    this.called('listItems', range);
    const fitting = this.items.filter(({ row_key }) => row_key.startsWith(range.prefix ?? ''));
    return pageOf(fitting, range);
  }

  async listDecisions(range: Parameters<Memory['listDecisions']>[0]) {
    this.called('listDecisions', range);
    return pageOf(this.decisions, range);
  }

  async listTasks(range: Parameters<Memory['listTasks']>[0]) {
    this.called('listTasks', range);
    const { filter = {} } = range;
    const fitting = this.taskRows.filter(
      ({ status, owner }) => status === (filter.status ?? status) && (filter.owner ?? owner) === owner,
    );
    return pageOf(fitting, range);
  }

  async pushItem(item: NewItem) {
    this.called('pushItem', item);
    const stored = this.items.find(({ row_key }) => row_key === item.row_key);
    // What would change nothing is no conflict, as in the service.
    if (stored?.checksum === item.checksum && stored.tier === item.tier) return { proposed: false };
    if ((stored?.checksum ?? null) !== item.base_checksum) {
      throw new MemoryError('conflict', 'The item has changed.', { currentChecksum: stored?.checksum });
    }
    if (this.holder.access === 'propose') return this.propose(item);
    this.items = this.items.filter((one) => one !== stored);
    this.items.push(itemOf(item.row_key, item.content, item));
    return { proposed: false };
  }

  private propose(item: NewItem) {
    this.proposals = this.proposals.filter(
      ({ row_key, state }) => row_key !== item.row_key || state !== 'waiting',
    );
    this.proposals.unshift(proposalOf(item));
    return { proposed: true };
  }

  async listProposals({ state, cursor, limit }: Parameters<Memory['listProposals']>[0]) {
    this.called('listProposals', state, cursor);
    const fitting = this.proposals.filter((proposal) => (state ?? proposal.state) === proposal.state);
    const { rows, nextCursor, hasMore } = pageOf(fitting, { cursor, limit });
    return { proposals: rows, next_cursor: hasMore ? nextCursor : null };
  }

  async getProposal(proposalId: string) {
    this.called('getProposal', proposalId);
    return this.proposals.find(({ proposal_id }) => proposal_id === proposalId) ?? missing();
  }

  async removeItem({ row_key, checksum }: Parameters<Memory['removeItem']>[0]) {
    this.called('removeItem', row_key, checksum);
    const stored = this.items.find((one) => one.row_key === row_key) ?? missing();
    if (stored.checksum !== checksum) {
      throw new MemoryError('conflict', 'The item has changed.', { currentChecksum: stored.checksum });
    }
    this.items = this.items.filter((one) => one !== stored);
  }
}

/** Pages whose cursor is the number of rows before. */
function pageOf<Row>(rows: Row[], { cursor = '0', limit }: { cursor?: string | undefined; limit: number }) {
  const start = Number(cursor);
  const page = rows.slice(start, start + limit);
  return { rows: page, nextCursor: String(start + page.length), hasMore: start + limit < rows.length };
}

function missing(): never {
  throw new MemoryError('not_found', 'There is no such item.');
}

/** An item that is good unless it is changed. */
export function itemOf(row_key: string, content: string, changes: Partial<Item> = {}): Item {
  return {
    row_key,
    content,
    title: row_key,
    frontmatter: {},
    tier: 'team',
    checksum: checksumOf(content),
    updated_at: '2026-11-21T06:27:00.123Z',
    updated_by: 'ada',
    ...changes,
  };
}

type ListedProposal = Awaited<ReturnType<Memory['getProposal']>>;

/** A proposal of ada's that waits, unless it is changed. */
export function proposalOf(item: NewItem, changes: Partial<ListedProposal> = {}): ListedProposal {
  return {
    proposal_id: `proposal of ${item.checksum}`,
    row_key: item.row_key,
    state: 'waiting',
    proposed_by: 'ada',
    proposed_at: '2026-11-21T06:27:00.123Z',
    decided_by: null,
    decided_at: null,
    reason: null,
    edited: false,
    item,
    ...changes,
  };
}

/** The checksum of a text. */
export function checksumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Connects the official client of an era to a server of a memory, through the HTTP handler of the official package. */
export async function connectClient(
  memory: Memory,
  era: ProtocolEra,
  options: Partial<MemoryServerOptions> = {},
): Promise<Client> {
  const handler = createMcpHandler(() => createMemoryServer({ memory, version: '1.2.3', ...options }));
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

/** Of the decision and the task of `filledMemory`. */
export const decisionId = '0190a1b2-0000-7000-8000-000000000001';
export const taskId = '0190a1b2-0000-7000-8000-000000000002';

/** A memory with a note, a decision, a task, a passage and an answer. */
export function filledMemory(): ListedMemory {
  const memory = new ListedMemory();
  memory.items = [itemOf('notes/deploying.md', '# Deploying\n\nOn Tuesdays.\n', { title: 'Deploying' })];
  memory.decisions = [
    {
      decision_id: decisionId,
      title: 'Deploy on Tuesdays',
      body: 'Not on Fridays.',
      status: 'accepted',
      audience: 'team',
      project: null,
      decided_on: '2026-11-20',
      updated_at: '2026-11-20T06:27:00.123Z',
      updated_by: 'ada',
    },
  ];
  memory.taskRows = [
    {
      task_id: taskId,
      title: 'Write it down',
      status: 'open',
      owner: 'ada',
      due: '2026-12-01',
      project: null,
      tags: [],
      tier: 'team',
      updated_at: '2026-11-20T06:27:00.123Z',
      source: { row_key: 'notes/tasks.md', line: 3, heading: null },
    },
  ];
  memory.passages = [
    {
      row_key: 'notes/deploying.md',
      title: 'Deploying',
      headings: ['When'],
      text: 'On Tuesdays.',
      tier: 'team',
      kind: 'item',
      date: '2026-11-21',
      status: null,
      score: 7.5,
    },
  ];
  memory.answer = [
    { type: 'delta', text: 'On Tuesdays ' },
    { type: 'delta', text: '[1].' },
    {
      type: 'sources',
      sources: [
        { row_key: 'notes/deploying.md', title: 'Deploying', tier: 'team', kind: 'item' },
        { row_key: 'projects/ship', title: 'Ship', tier: 'team', kind: 'project' },
      ],
    },
  ];
  return memory;
}

/** The first text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
