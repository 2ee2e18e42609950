import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';
import { createCallFault, type Operation } from './call-fault.ts';
import { createCallReader } from './call-log.ts';
import { createSimulatedDisk } from './crash-image.ts';
import { createExpectation, type Journal, openJournal } from './expectation.ts';
import { writeImage } from './images.ts';
import { readStores } from './read-stores.ts';
import { recordedEnvironment } from './recorder.ts';
import { expectStatus, followed, madeTeam } from './workload.ts';

/** A service that has cut its connections is on its way out. */
const endsWithinMs = 60_000;
/** A service that cannot sync its files ends, and its clients get no answer. */
const isLost = /^(unreachable .*|.*fetch failed)$/s;
/** The store cannot be written now. */
const isRefused = /^(.* Error: 503.*|unavailable .*)$/s;

/** A service of which single calls fail. */
export interface FailingService {
  operations: Operation[];
  remove(): Promise<void>;
}

/** What an operation works with. */
interface Work {
  journal: Journal;
  service: StartedService;
  team: TeamClients;
}

/** Prepares something that is done once while a call fails. */
type Preparation = (work: Work, attempt: number) => Promise<() => Promise<unknown>>;

/**
 * Starts a service, which is started again where a fault ends it. After each attempt its stores are opened as they would
 * be after `kill -9` and after a power loss: with all that was written, and with nothing that was not synced.
 */
export async function startFailingService({
  library,
  folder,
}: {
  library: string;
  /** An empty folder. */
  folder: string;
}): Promise<FailingService> {
  const [root, log] = [join(folder, 'disk'), join(folder, 'calls')];
  mkdirSync(root);
  const fault = createCallFault(join(folder, 'fault'));
  const journal = openJournal(log);
  const start = () =>
    startService({
      dataDirectory: join(root, 'data'),
      environment: {
        ...plentyOfWrites,
        ...recordedEnvironment({ library }, root, log),
        ...fault.environment,
      },
    });
  let service = await start();
  const made = await journal.act({ makes: ['team', 'key', 'key', 'key'] }, () => newTeam(service), madeTeam);
  const startAgain = async () => {
    const { exitCode, signalCode } = service.process;
    if (exitCode === null && signalCode === null)
      await once(service.process, 'exit', { signal: AbortSignal.timeout(endsWithinMs) });
    await service.remove();
    service = await start();
  };
  const work = (): Work => ({
    journal,
    service,
    team: { ...made, team: keyHolder(service, made, made.teamKey) },
  });
  const faultsOfDisk = createDiskCheck(log, join(folder, 'image'));
  let attempts = 0;

  const operation = (name: string, prepare: Preparation): Operation => ({
    name,
    calls: async () => {
      attempts += 1;
      const act = await prepare(work(), attempts);
      return fault.count(act);
    },
    async attempt(nth, kind) {
      attempts += 1;
      const act = await prepare(work(), attempts);
      fault.arm(nth, kind);
      const answer = await act().then(() => 'done', describe);
      const call = fault.disarm();
      const isHonest = answer === 'done' || isRefused.test(answer) || isLost.test(answer);
      const faults = isHonest ? [] : [`it is answered by ${answer}`];
      // What is done afterwards is looked at after the next attempt.
      faults.push(...(await faultsOfDisk()));
      if (isLost.test(answer)) await startAgain();
      const used = await useAfterwards(work(), attempts).catch(describe);
      // What ends the service may come right after an answer.
      if (isLost.test(used)) await startAgain();
      const again = isLost.test(used) ? await useAfterwards(work(), attempts).catch(describe) : used;
      if (again !== 'done') faults.push(`afterwards: ${again}`);
      return { call, answer, faults };
    },
  });
  return {
    operations: [operation('push', preparePush), operation('revocation', prepareRevocation)],
    remove: () => service.remove(),
  };
}

/** One item is new, and one is changed. */
const preparePush: Preparation = async ({ journal, team: { team } }, attempt) => {
  const items = [`new-${attempt}.md`, 'changed.md'].map((key) => item(key, `${key} of ${attempt}.\n`));
  const changes = items.map(({ row_key, checksum }) => [`item ${row_key}`, checksum] as const);
  return () => journal.act({ changes }, async () => expectStatus(200, await team.push(...items)));
};

const prepareRevocation: Preparation = async ({ journal, service, team: { slug } }) => {
  const { key_id } = await journal.act(
    { makes: ['key'] },
    () => asAdministrator(service, (admin) => admin.createKey({ team: slug, member: 'ada', tier: 'team' })),
    (key) => ({ made: [[`key ${key.key_id}`, 'active']], audited: ['key.create'] }),
  );
  return () =>
    journal.act(
      { changes: [[`key ${key_id}`, 'revoked']] },
      () => asAdministrator(service, (admin) => admin.revokeKey(key_id)),
      () => ({ audited: ['key.revoke'] }),
    );
};

/** What is shown now must stay, and the next push must be taken. */
async function useAfterwards({ journal, team: { team } }: Work, attempt: number): Promise<string> {
  const read = () =>
    journal.act(
      {},
      async () => expectStatus(200, await team.pull('?limit=200&order=newest')),
      (answer) => ({ page: { cursor: '', rows: answer.body.items.map(followed) } }),
    );
  await read();
  const after = item('afterwards.md', `After ${attempt}.\n`);
  await journal.act({ changes: [[`item ${after.row_key}`, after.checksum]] }, async () =>
    expectStatus(200, await team.push(after)),
  );
  return 'done';
}

const describe = (error: { code?: string }) => `${error.code ?? ''} ${error}`;

/** Returns a check of what is on the disk after the calls so far. */
function createDiskCheck(log: string, image: string): () => Promise<string[]> {
  const read = createCallReader(log);
  const disk = createSimulatedDisk();
  const expectation = createExpectation();
  return async () => {
    for (const call of read()) {
      disk.apply(call);
      if (call.kind === 'mark') expectation.apply(call.value);
    }
    const faults: string[] = [];
    for (const luck of ['everything', 'nothing'] as const) {
      writeImage(image, disk.crash(luck, seededRandom(0)));
      const found = await readStores(join(image, 'data'), []);
      const all = [...found.faults, ...expectation.faultsOf(found)];
      faults.push(...all.map((each) => `with ${luck} of what was not synced: ${each}`));
    }
    return faults;
  };
}
