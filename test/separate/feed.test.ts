import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { partProcess, replaceProcess } from '../support/deployment/part-process.ts';
import { writeAndFollow } from '../support/feed/write-and-follow.ts';
import { api } from '../support/http/api.ts';
import { sharedService } from '../support/service/shared-service.ts';

const upserts = 320;
/** Followers must leave a slow test server time to write. */
const pauseMs = 250;
/** A limit for what hangs; it takes a fraction on an idle machine. */
const timeoutMs = 300_000;

const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '1000000' } });

/** Both gateways by turns, whoever asks. */
function alternating(): { readonly url: string }[] {
  const { urls } = service();
  let turn = 0;
  return [
    {
      get url() {
        turn += 1;
        return urls[turn % urls.length] as string;
      },
    },
  ];
}

test(
  'eight writers and six followers over all gateways: none is missed and none comes twice',
  async () => {
    expect(service().urls).toHaveLength(2);
    await writeAndFollow({ team: await service().createTeam(), targets: alternating(), upserts, pauseMs });
  },
  timeoutMs,
);

test(
  'the same holds when a content process is killed in the middle, and what was acknowledged is there',
  async () => {
    const team = await service().createTeam();
    const following = writeAndFollow({ team, targets: alternating(), upserts, pauseMs });
    await eventually(
      'the first writes',
      async () => {
        const { body } = await api(service(), team, team.teamKey, '/api/v1/items?limit=200');
        return body.items.length >= 50;
      },
      { withinMs: 120_000 },
    );
    const { pid } = partProcess(service(), 'content-1');
    const { pid: next } = await replaceProcess(service(), 'content-1', 'SIGKILL');
    expect(next).not.toBe(pid);
    await following;
  },
  timeoutMs,
);
