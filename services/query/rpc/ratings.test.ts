import { randomUUID } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { QueryService, RatingVerdict } from '@teammemory/proto/query/v1/query_pb.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQueryStores, type QueryStores } from '../store/open-stores.ts';
import {
  eraseMemberRatingsHandler,
  listRatingsHandler,
  rateAnswerHandler,
  removeRatingsHandler,
} from './ratings.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const rivers = randomUUID();

describeEachEngine('ratings of answers', (engine) => {
  let stores: QueryStores;
  let nowMs: number;
  beforeEach(async () => {
    nowMs = Date.parse('2026-11-21T12:00:00Z');
    stores = await openQueryStores(engine.storage());
  });
  afterEach(() => stores.close());

  function clientOf(memberId: string, more: Partial<Caller> = {}) {
    const names = { teamId: rivers, teamSlug: 'rivers', memberId, memberHandle: memberId, keyId: 'k' };
    return client({ kind: 'member', caller: { ...names, tier: 'team', access: 'write', ...more } });
  }

  function client(principal: Principal) {
    const dependencies = { ratings: stores.ratings, clock: () => nowMs };
    const service = rpcService(QueryService, {
      rateAnswer: rateAnswerHandler(dependencies),
      listRatings: listRatingsHandler(dependencies),
      removeRatings: removeRatingsHandler(dependencies),
      eraseMemberRatings: eraseMemberRatingsHandler(dependencies),
    });
    return createClient(QueryService, transportAs(service, principal));
  }

  const administrator = () => clientOf('ada', { isTeamAdministrator: true });

  test('administrators see who asked what, what was said of the answer, and which asker is a guest', async () => {
    await clientOf('bo').rateAnswer({
      question: 'Where?',
      verdict: RatingVerdict.NOT_HELPED,
      note: 'Nothing.',
    });
    nowMs += 1;
    const guest = clientOf('eve', { tier: 'external', access: 'read' });
    await guest.rateAnswer({ question: 'When?', verdict: RatingVerdict.NO_ANSWER });
    expect((await administrator().listRatings({})).ratings).toMatchObject([
      { question: 'When?', verdict: RatingVerdict.NO_ANSWER, note: '', memberHandle: 'eve', tier: 2 },
      {
        question: 'Where?',
        verdict: RatingVerdict.NOT_HELPED,
        note: 'Nothing.',
        memberHandle: 'bo',
        tier: 1,
      },
    ]);
  });

  test('the last word of a member on a question counts, and can be taken back', async () => {
    const question = 'Where?';
    const bo = clientOf('bo');
    for (const verdict of [RatingVerdict.NOT_HELPED, RatingVerdict.HELPED])
      await bo.rateAnswer({ question, verdict });
    await clientOf('cy').rateAnswer({ question, verdict: RatingVerdict.NOT_HELPED });
    const verdicts = async () =>
      (await administrator().listRatings({})).ratings.map(({ memberHandle, verdict }) => [
        memberHandle,
        verdict,
      ]);
    expect((await verdicts()).toSorted()).toEqual([
      ['bo', RatingVerdict.HELPED],
      ['cy', RatingVerdict.NOT_HELPED],
    ]);
    await bo.rateAnswer({ question });
    expect(await verdicts()).toEqual([['cy', RatingVerdict.NOT_HELPED]]);
  });

  test('the list comes page by page, without what is older than 180 days', async () => {
    const questions = ['old', 'one', 'two', 'three'];
    for (const question of questions) {
      await clientOf('bo').rateAnswer({ question, verdict: RatingVerdict.HELPED });
      nowMs += question === 'old' ? 180 * dayMs : 1;
    }
    const first = await administrator().listRatings({ pageSize: 2 });
    const second = await administrator().listRatings({ pageSize: 2, pageToken: first.nextPageToken });
    const listed = [first, second].map(({ ratings }) => ratings.map(({ question }) => question));
    expect(listed).toEqual([['three', 'two'], ['one']]);
    expect(second.nextPageToken).toBe('');
  });

  test('an administrator removes ratings of the own team, whatever team the call names', async () => {
    await clientOf('bo').rateAnswer({ question: 'Where?', verdict: RatingVerdict.HELPED });
    const [rating] = (await administrator().listRatings({})).ratings;
    const ratingIds = [rating?.ratingId ?? ''];
    const elsewhere = clientOf('eve', { teamId: randomUUID(), isTeamAdministrator: true });
    await elsewhere.removeRatings({ teamId: rivers, ratingIds });
    expect((await administrator().listRatings({})).ratings).toHaveLength(1);
    await administrator().removeRatings({ ratingIds });
    expect((await administrator().listRatings({})).ratings).toEqual([]);
  });

  test('administrators of the installation count and erase what a member said, and nothing of others', async () => {
    for (const handle of ['bo', 'cy']) {
      await clientOf(handle).rateAnswer({ question: 'Where?', verdict: RatingVerdict.HELPED });
    }
    const operator = client({ kind: 'administrator', name: 'mara' });
    const erase = (dryRun: boolean) => operator.eraseMemberRatings({ teamId: rivers, handle: 'bo', dryRun });
    expect((await erase(true)).ratings).toBe(1);
    expect((await erase(false)).ratings).toBe(1);
    expect((await erase(false)).ratings).toBe(0);
    const { ratings } = await operator.listRatings({ teamId: rivers });
    expect(ratings.map(({ memberHandle }) => memberHandle)).toEqual(['cy']);
  });
});
