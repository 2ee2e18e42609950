import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelScript, startModelServer } from '@teammemory/testkit/model-server.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { keyHolder } from '../http/key-holder.ts';
import { rpcCall } from '../rpc/rpc-call.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import { type StartedService, startService } from '../service/running-service.ts';
import { plentyOfWrites } from '../service/shared-service.ts';
import { type FilledTeam, fillTeam } from './fill-team.ts';
import { members } from './product-team.ts';

/** Days before today on which the team asked questions. */
const days = 20;
const dayMs = 24 * 60 * 60 * 1000;
const model = 'gpt-5-mini';

/** A service whose team has used it for weeks: for screenshots, not for tests. */
export interface FilledService {
  service: StartedService;
  team: FilledTeam;
  remove(): Promise<void>;
}

/** Starts a service with a model that behaves as `script` says, and fills a team. */
export async function startFilledService(script: ModelScript): Promise<FilledService> {
  const [writer, directory] = await Promise.all([startModelServer(script), temporaryDirectory()]);
  const options = {
    dataDirectory: directory.path,
    environment: {
      ...plentyOfWrites,
      OPENAI_API_KEY: 'sk-screenshots-0123456789',
      OPENAI_BASE_URL: writer.baseUrl,
      OPENAI_MODEL: model,
      DAILY_MEMBER_CAP_USD: '1',
      DAILY_TEAM_CAP_USD: '3',
    },
  };
  let service = await startService(options);
  const team = await fillTeam(service, 'tidebook');
  for (const member of members) {
    await keyHolder(service, team, team.keys[member] ?? '').ask('What do skippers look at?');
  }
  const ids = await idsOf(service, team.slug);
  // Only time makes days with spending; these rows stand in for it.
  await service.end();
  spendOnEarlierDays(join(directory.path, 'query.sqlite'), ids);
  await service.remove();
  service = await startService(options);
  return {
    service,
    team,
    async remove() {
      await service.remove();
      await writer.stop();
      await directory.remove();
    },
  };
}

async function idsOf(
  service: StartedService,
  slug: string,
): Promise<{ teamId: string; memberIds: string[] }> {
  const authorization = `Bearer ${service.adminToken}`;
  const method = 'teammemory.auth.v1.AuthService/GetTeam';
  const found = await rpcCall({
    rpcUrl: service.rpcUrl,
    protocol: 'connect',
    method,
    message: { slug },
    authorization,
  });
  const pages = await asAdministrator(service, (admin) => Array.fromAsync(admin.listMembers(slug)));
  return { teamId: found.message.team.teamId, memberIds: pages.flat().map(({ member_id }) => member_id) };
}

function spendOnEarlierDays(
  file: string,
  { teamId, memberIds }: { teamId: string; memberIds: string[] },
): void {
  const database = new DatabaseSync(file);
  const insert = database.prepare(
    'INSERT OR REPLACE INTO usage_totals (team_id, day, member_id, model, calls, input_tokens, output_tokens, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (let ago = 1; ago <= days; ago += 1) {
    const date = new Date(Date.now() - ago * dayMs);
    const isWeekend = date.getUTCDay() % 6 === 0;
    for (const [index, memberId] of memberIds.entries()) {
      const calls = isWeekend ? index % 2 : 4 + ((ago * 7 + index * 5) % 11);
      if (calls === 0) continue;
      const [input, output] = [calls * 6_400, calls * 520];
      const cost = Math.round(input * 2.5 + output * 20);
      insert.run(teamId, date.toISOString().slice(0, 10), memberId, model, calls, input, output, cost);
    }
  }
  // A question or two cost a hundredth of a cent; a day has hundreds.
  for (const [table, column] of [
    ['usage_days', 'spent'],
    ['usage_totals', 'cost'],
  ] as const) {
    const today = new Date().toISOString().slice(0, 10);
    database
      .prepare(`UPDATE ${table} SET ${column} = ${column} * 120 WHERE team_id = ? AND day = ?`)
      .run(teamId, today);
  }
  database.close();
}
