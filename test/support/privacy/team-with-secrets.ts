import { newTeam, type TeamClients } from '../http/key-holder.ts';
import type { RunningService } from '../service/running-service.ts';
import { type Canaries, newCanaries, secretKey, writeRows } from './canaries.ts';
import { cursorsOf, type Names, rowIdsOf } from './walk-api.ts';

/** A team with canaries, and all their names that a stranger could try. */
export type TeamWithSecrets = TeamClients & { words: Canaries; names: Names };

/** Makes a team that only one test file uses, with a canary in each place that could leak. */
export async function newTeamWithSecrets(service: RunningService): Promise<TeamWithSecrets> {
  const words = newCanaries();
  const clients = await newTeam(service);
  await writeRows(service, clients, words);
  const rowKeys = [secretKey(words), `projects/${words.pathProject}/tasks.md`, 'removed.md', 'was-open.md'];
  const items = ['open.md', 'edited.md', 'open-tasks.md', 'absent.md'];
  const cursors = await cursorsOf(clients.team);
  const shown = new Set(await rowIdsOf(clients.external, false));
  const rowIds = (await rowIdsOf(clients.team, true)).filter((id) => !shown.has(id));
  const names = { words: Object.values(words), rowKeys, items, rowIds, cursors };
  return { ...clients, words, names };
}
