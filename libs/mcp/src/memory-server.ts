import { Server } from '@modelcontextprotocol/server';
import type { Memory } from './memory.ts';

/** What a server of a team's memory is made from. */
export interface MemoryServerOptions {
  memory: Memory;
  /** The version of the program. */
  version: string;
}

/** Makes the MCP server of one connection, or of one request where no connection is kept. */
export function createMemoryServer({ version }: MemoryServerOptions): Server {
  return new Server({ name: 'team-memory', title: 'Team Memory', version }, { capabilities: {} });
}
