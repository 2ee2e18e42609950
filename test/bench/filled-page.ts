import type { RunningService, Team } from '../support/service/running-service.ts';
import type { LoadResult } from './load-generator.ts';
import type { BenchContext } from './measurement.ts';
import { benchBatches, portOf, requestBytes } from './requests.ts';

/** Items of a page, as many as a reader gets who does not say how many. */
export const itemsPerPage = 50;
/** Connections that pages are asked for over. */
export const readers = 24;
const path = `/api/v1/items?limit=${itemsPerPage}`;

/** A team whose items fill one page. */
export interface FilledPage {
  team: Team;
  /** The request for it. */
  request: Uint8Array;
  /** The body of its answer. */
  body: Buffer;
}

/** Makes a team with one page of items of 2 KB. */
export async function fillPage({ load }: BenchContext, service: RunningService): Promise<FilledPage> {
  const team = await service.createTeam();
  const [items] = benchBatches(0, 1, itemsPerPage);
  const push = requestBytes(team, 'POST', '/api/v1/items', { items });
  await load({ port: portOf(service), connections: 1, requests: [push] });
  const headers = { authorization: `Bearer ${team.teamKey}`, 'x-svc-team': team.slug };
  const answer = await fetch(service.url + path, { headers });
  return {
    team,
    request: requestBytes(team, 'GET', path),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Asks a server for pages for a while, over 24 connections; `requests` makes those of each round. */
export function pageLoad(
  { quick, load }: BenchContext,
  port: number,
  requests: () => Uint8Array[],
): () => Promise<LoadResult> {
  const durationMs = quick ? 300 : 2_000;
  return () => load({ port, connections: readers, requests: requests(), durationMs });
}

/** Requests for the same page that are different questions: each asks for what changed after another time. */
export function differentPages(team: Team, count: number, from = 0): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const since = new Date(from + index).toISOString();
    return requestBytes(team, 'GET', `${path}&since=${since}`);
  });
}
