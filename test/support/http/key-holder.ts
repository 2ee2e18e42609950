import { partsAreSeparate } from '../deployment/deployment.ts';
import type { RunningService, Team } from '../service/running-service.ts';
import { type Answer, type ApiOptions, api, apiWhenAvailable } from './api.ts';
import { type ReadAnswer, readAnswer } from './events.ts';

/** A client of the API with one key. */
export interface KeyHolder {
  key: string;
  /**
   * Sends one request; `path` is below /api/v1. Eight processes and a slow database may say on a loaded machine that
   * they are not able to right now: a read through separate processes is sent again after 503, as a client has to.
   */
  call(path: string, options?: ApiOptions): Promise<Answer>;
  push(...items: unknown[]): Promise<Answer>;
  /** One page; `query` begins with `?`. */
  pull(query?: string): Promise<Answer>;
  /** The rows of a page, for tests that expect it to be given. */
  rows(query?: string): Promise<Answer['body'][]>;
  remove(rowKey: string): Promise<Answer>;
  /** Asks a question that is expected to be answered. */
  ask(q: string): Promise<ReadAnswer>;
}

/** A team with a client for each of its keys. */
export interface TeamClients extends Team {
  /** With the key of tier team. */
  team: KeyHolder;
  /** With the key of tier external. */
  external: KeyHolder;
}

/** Makes a team that only one test uses. */
export async function newTeam(service: RunningService): Promise<TeamClients> {
  const team = await service.createTeam();
  return {
    ...team,
    team: keyHolder(service, team, team.teamKey),
    external: keyHolder(service, team, team.externalKey),
  };
}

/** A client for any key; `team` is what its requests say in X-Svc-Team. */
export function keyHolder(
  service: Pick<RunningService, 'url'>,
  team: Pick<Team, 'slug'>,
  key: string,
): KeyHolder {
  const call: KeyHolder['call'] = (path, options = {}) => {
    const isRead = options.body === undefined && options.method === undefined;
    const send = isRead && partsAreSeparate ? apiWhenAvailable : api;
    return send(service, team, key, `/api/v1${path}`, options);
  };
  const pull: KeyHolder['pull'] = (query = '') => call(`/items${query}`);
  return {
    key,
    call,
    push: (...items) => call('/items', { body: { items } }),
    pull,
    async rows(query) {
      const { status, body } = await pull(query);
      if (status !== 200) throw new Error(`GET /items answered ${status}: ${JSON.stringify(body)}`);
      return body.items;
    },
    remove: (rowKey) => call(`/items/${encodeURIComponent(rowKey)}`, { method: 'DELETE' }),
    async ask(q) {
      const { status, body } = await call('/query', { body: { q } });
      if (status !== 200) throw new Error(`POST /query answered ${status}: ${JSON.stringify(body)}`);
      return readAnswer(body);
    },
  };
}
