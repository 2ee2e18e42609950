import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { asKey, modernRequest } from '../support/mcp/raw-message.ts';
import type { Team } from '../support/service/running-service.ts';

/** One request of an HTTP client. */
export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends each request over a few connections that stay open, and reads the answers to their end, be they of one piece or
 * streams; again after a 503, when its Retry-After is over, as on a busy machine. `check` is given each body.
 * @throws Error for another answer that is not 200.
 */
export async function sendAll(
  url: string,
  requests: readonly HttpRequest[],
  connections: number,
  check: (body: string) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const client = async () => {
    for (let wanted = requests[next++]; wanted !== undefined; wanted = requests[next++]) {
      check(await bodyOf(url, wanted, agent));
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    agent.destroy();
  }
}

/** A call of a tool with the key of tier team, as clients of the revision 2026-07-28 send it. */
export function toolRequest(team: Team, tool: string, input: object, id: number): HttpRequest {
  const { body, headers } = modernRequest('tools/call', { name: tool, arguments: input }, id);
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...asKey(team.teamKey, team.slug),
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  };
}

/** @throws Error where a tool refused, which it does with status 200. */
export function expectToolResult(body: string): void {
  if (!body.includes('"structuredContent"')) throw new Error(`no result of a tool: ${body.slice(0, 500)}`);
}

function bodyOf(url: string, { method, path, headers, body }: HttpRequest, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode, headers: answered } = response;
        const again = () => bodyOf(url, { method, path, headers, ...(body && { body }) }, agent);
        if (statusCode === 200) resolve(text);
        else if (statusCode === 503 && answered['retry-after'])
          resolve(delay(1_000 * Number(answered['retry-after'])).then(again));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
