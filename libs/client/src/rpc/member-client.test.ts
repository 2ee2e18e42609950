import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemberClient, type MemberClient } from './member-client.ts';
import { fakeAuth, fakeContent, keyId, serveAuth } from './serve-auth.fixture.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Seen {
  client: MemberClient;
  /** What was exchanged, and for which service. */
  exchanges: { credential: string; audience: string }[];
  /** The tokens that calls came with. */
  tokens: (string | null)[];
}

/** A client of a service whose tokens are good for `lifetimeMs`, and of which it refuses those that `refuses` names. */
async function openClient(
  lifetimeMs: number,
  refuses: (token: number) => boolean = () => false,
): Promise<Seen> {
  const seen = { exchanges: [], tokens: [] } as unknown as Seen;
  const server = await serveAuth(
    {
      ...fakeAuth,
      exchangeCredential: ({ credential, audience }) => {
        seen.exchanges.push({ credential, audience });
        const expiresAt = timestampFromDate(new Date(Date.now() + lifetimeMs));
        return { token: `${seen.exchanges.length}`, expiresAt };
      },
    },
    {
      content: {
        ...fakeContent,
        getDecision: ({ teamId, decisionId }, { requestHeader }) => {
          const token = requestHeader.get('authorization');
          seen.tokens.push(token);
          if (refuses(Number(token?.split(' ')[1]))) throw new ConnectError('no', Code.Unauthenticated);
          return { decision: { decisionId, title: `of team "${teamId}"` } };
        },
      },
    },
  );
  seen.client = createMemberClient({ rpcUrl: server.rpcUrl, key: 'the key' });
  stops.push(seen.client.close, server.close);
  return seen;
}

describe('createMemberClient', () => {
  it('exchanges its key for a token, once for many calls, and names no team', async () => {
    const { client, exchanges, tokens } = await openClient(60_000);
    const calls = [client.decisions.get('a'), client.decisions.get('b')];
    expect((await Promise.all(calls)).map(({ title }) => title)).toEqual(['of team ""', 'of team ""']);
    await client.decisions.get('c');
    expect(exchanges).toMatchObject([{ credential: 'the key', audience: 'content' }]);
    expect(tokens).toEqual(['Bearer 1', 'Bearer 1', 'Bearer 1']);
  });

  it('takes a new token before the one it has expires', async () => {
    const { client, tokens } = await openClient(14_000);
    await client.decisions.get('a');
    await client.decisions.get('b');
    expect(tokens).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('replaces a token that is refused, once', async () => {
    const once = await openClient(60_000, (token) => token === 1);
    expect(await once.client.decisions.get('a')).toMatchObject({ decision_id: 'a' });
    expect(once.tokens).toEqual(['Bearer 1', 'Bearer 2']);
    const always = await openClient(60_000, () => true);
    await expect(always.client.decisions.get('a')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(always.tokens).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('says so where the key is not good, and asks again the next time', async () => {
    const server = await serveAuth(fakeAuth);
    const client = createMemberClient({ rpcUrl: server.rpcUrl, key: 'no key' });
    const good = createMemberClient({ rpcUrl: server.rpcUrl, key: `tms_${keyId}_secret` });
    stops.push(client.close, good.close, server.close);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(client.decisions.get('a')).rejects.toMatchObject({
        name: 'RpcError',
        code: 'invalid_key',
      });
    }
    expect((await Array.fromAsync(good.decisions.versions('a'))).flat()).toMatchObject([
      { title: 'Before now' },
      { title: 'Before p2' },
    ]);
  });
});
