import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import {
  embedDearly,
  embeddingProgram,
  found,
  untilFoundByMeaning,
} from '../support/models/embedding-program.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { serviceOptionsFor } from '../support/service/shared-service.ts';

const timeoutMs = 180_000;
const memberCapUsd = 0.1;
/** At a micro-dollar a byte this is three times what the member's cap allows. */
const guestItems = 40;
const bytesPerItem = 7_500;
/** The last text that would not fit is smaller. */
const restUsd = 0.003;

const program = embeddingProgram();

/** A member whose only key is external. */
async function guestOf(running: RunningService, { slug: team }: TeamClients): Promise<KeyHolder> {
  const { key } = await asAdministrator(running, async (admin) => {
    await admin.addMember({ team, handle: 'guest', role: 'member' });
    return admin.createKey({ team, member: 'guest', tier: 'external' });
  });
  return keyHolder(running, { slug: team }, key);
}

/** US dollars that the team's calls came to, by the handle of who paid; '' for the team alone. */
async function spentBy(running: RunningService, { slug }: TeamClients): Promise<Record<string, number>> {
  const { usage } = await asAdministrator(running, (admin) => admin.getUsage({ team: slug }));
  return Object.fromEntries(usage.map(({ member, cost_usd }) => [member ?? '', cost_usd]));
}

/** Markdown of some passages that no other item has. */
function noise(name: string): string {
  const sentences = Array.from({ length: 300 }, (_, place) => `Nothing of ${name} is worth ${place} words. `);
  return `# ${name}\n\n${sentences.join('')}`.slice(0, bytesPerItem);
}

function noisyItems(name: (place: number) => string) {
  return Array.from({ length: guestItems }, (_, place) =>
    item(`noise/${name(place)}.md`, noise(`${name(place)} w${place}`), { tier: 'external' }),
  );
}

const shapes: [string, (guest: KeyHolder) => Promise<void>][] = [
  [
    'many items at once',
    async ({ push }) => {
      expect((await push(...noisyItems((place) => `n${place}`))).status).toBe(200);
    },
  ],
  [
    'the same items over and over, some of them removed meanwhile,',
    async ({ push, remove }) => {
      for (let round = 0; round < 8; round += 1) {
        const texts = Array.from({ length: 5 }, (_, place) =>
          item(`noise/${place}.md`, noise(`r${round} p${place}`), { tier: 'external' }),
        );
        await remove('noise/0.md');
        expect((await push(...texts)).status).toBe(200);
      }
      expect((await push(...noisyItems((place) => `again${place}`))).status).toBe(200);
    },
  ],
];

describeEachEngine('what a guest pushes', (engine) => {
  test.for(shapes)(
    '%s is embedded within the cap of the guest, while what others push goes on being embedded',
    { timeout: timeoutMs },
    async ([name, attack]) => {
      const settings = {
        DAILY_MEMBER_CAP_USD: String(memberCapUsd),
        INDEX_REFRESH_SECONDS: '1',
        ITEM_WRITES_PER_MINUTE: '100000',
      };
      program().model.script = embedDearly;
      const { running, clients } = await program().startWithCrossings(
        settings,
        serviceOptionsFor(engine.storage()),
      );
      const guest = await guestOf(running, clients);
      await underAttack(`a guest pushes ${name}`, running, async () => {
        await attack(guest);
        await eventually(
          'the cap to be used up',
          async () => ((await spentBy(running, clients)).guest ?? 0) > memberCapUsd - restUsd,
          { withinMs: 60_000, everyMs: 200 },
        );
        expect(await untilFoundByMeaning(running, clients.teamKey)).toContain('b-ferry.md');
        await clients.team.push(item('d-meal.md', 'Our meal is at noon.'));
        await eventually(
          'what ada pushed to be embedded',
          () =>
            program()
              .sent()
              .some((text) => text.includes('Our meal is at noon.')),
          { withinMs: 60_000, everyMs: 200 },
        );
      });
      const spent = await spentBy(running, clients);
      console.log(`a guest pushes ${name}: ${JSON.stringify(spent)} US dollars spent`);
      expect(spent.guest).toBeLessThanOrEqual(memberCapUsd);
      expect(spent.ada).toBeGreaterThan(0);
      expect(Object.keys(spent).toSorted()).toEqual(['ada', 'guest']);
      const words = 'What is worth 7 words?';
      expect((await found(running, guest.key, words))[0]).toContain('noise/');
    },
  );
});

test(
  'a guest whose cap is used up by what they pushed finds by words, and so do others find what waits',
  async () => {
    program().model.script = embedDearly;
    const settings = { DAILY_MEMBER_CAP_USD: '0.000001', INDEX_REFRESH_SECONDS: '1' };
    const running = await program().start(settings);
    const clients = await newTeam(running);
    const guest = await guestOf(running, clients);
    await guest.push(item('note.md', 'The heron nests by the weir.', { tier: 'external' }));
    for (const { key } of [guest, clients.team])
      expect(await found(running, key, 'Where does the heron nest?')).toEqual(['note.md']);
    expect(program().sent()).toEqual([]);
  },
  timeoutMs,
);
