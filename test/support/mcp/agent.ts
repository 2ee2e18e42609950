import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { RunningService, Team } from '../service/running-service.ts';

/** The revisions that clients speak: the newest, and those of 2025. */
export const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** A revision of the protocol. */
export type Revision = (typeof revisions)[number];

/** One revision of each era: of the newest one, where each request stands for itself, and of 2025. */
export const eras = ['2026-07-28', '2025-11-25'] as const satisfies Revision[];

/** How an agent connects. */
export interface AgentOptions {
  /** Default: the newest. */
  revision?: Revision;
  /** Where its requests name the team: in the header X-Svc-Team (the default) or in the path. */
  teamIn?: 'header' | 'path';
  /** Which tools it asks for; default: all of its key. */
  profile?: 'search-fetch';
  /** Used instead of the global one, to look at what comes over the wire. */
  fetch?: typeof fetch;
}

/** What a tool returned, as an agent has it. */
export interface ToolResult {
  isError: boolean;
  /** All texts of the result, which is what a model reads. */
  text: string;
  /** The result as data, which the client has checked against the schema of the tool. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  data: any;
  /** URIs of the resources that it links to. */
  links: string[];
}

/** An agent with one key, connected by the official client. */
export interface Agent {
  client: Client;
  /** Calls a tool. Throws where the protocol, and not the tool, refuses. */
  call(
    tool: string,
    input?: Record<string, unknown>,
    options?: Parameters<Client['callTool']>[1],
  ): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Connects the official client with a key and reads the list of tools, so that it checks all that they return. */
export async function connectAgent(
  service: Pick<RunningService, 'url'>,
  team: Pick<Team, 'slug'>,
  key: string,
  { revision = '2026-07-28', teamIn = 'header', profile, fetch: fetched }: AgentOptions = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const headers = {
    authorization: `Bearer ${key}`,
    ...(teamIn === 'header' ? { 'x-svc-team': team.slug } : {}),
  };
  const path = teamIn === 'header' ? '/mcp' : `/mcp/${team.slug}`;
  const url = new URL(path, service.url);
  if (profile !== undefined) url.searchParams.set('profile', profile);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...(fetched === undefined ? {} : { fetch: fetched }),
  });
  await client.connect(transport);
  return agentOf(client);
}

/** Returns the agent of a client that is connected. */
export async function agentOf(client: Client): Promise<Agent> {
  await client.listTools();
  return {
    client,
    call: async (name, input = {}, options) => {
      const result = await client.callTool({ name, arguments: input }, options);
      const { content, structuredContent } = result;
      return {
        isError: result.isError === true,
        text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
        data: structuredContent,
        links: content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])),
      };
    },
    close: () => client.close(),
  };
}

/** Returns one field of each row. */
export function column(rows: readonly Record<string, unknown>[], field: string): unknown[] {
  return rows.map((row) => row[field]);
}
