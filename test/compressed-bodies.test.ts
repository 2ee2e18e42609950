import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { sharedService } from './support/service/shared-service.ts';

const maxBodyBytes = 1024 * 1024;
const service = sharedService({ environment: { MAX_BODY_BYTES: `${maxBodyBytes}` } });

const encoders = { gzip: gzipSync, zstd: zstdCompressSync } as const;
type Encoding = keyof typeof encoders;
const encodings = Object.keys(encoders) as Encoding[];

const send = (client: KeyHolder, encoding: string, body: unknown, path = '/items') =>
  client.call(path, { body, headers: { 'content-encoding': encoding } });

/** A push whose JSON has exactly so many bytes. */
function pushOf(bytes: number): string {
  const empty = JSON.stringify({ items: [item('large.md', '')] });
  return JSON.stringify({ items: [item('large.md', 'x'.repeat(bytes - empty.length))] });
}

test.for(encodings)('what was sent as %s is stored as if it had been sent plain', async (encoding) => {
  const { team } = await newTeam(service());
  const texts = ['Otters swim.', 'grüße 🦉 '.repeat(20_000), 'x'.repeat(900_000)];
  for (const [index, text] of texts.entries()) {
    const json = JSON.stringify({ items: [item(`${index}.md`, text)] });
    const answer = await send(team, encoding, encoders[encoding](json));
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1 } });
  }
  expect((await team.rows()).map(({ content }) => content)).toEqual(texts);
  const spelt = encoding.toUpperCase();
  const json = JSON.stringify({ items: [item('spelt.md')] });
  expect((await send(team, spelt, encoders[encoding](json))).status).toBe(200);
});

test.for(encodings)('a body in chunks, encoded as %s, is read whole', async (encoding) => {
  const { team } = await newTeam(service());
  const letters = Array.from({ length: 300_000 }, (_, index) =>
    String.fromCharCode(97 + ((index * index) % 23)),
  );
  const encoded = encoders[encoding](JSON.stringify({ items: [item('chunks.md', letters.join(''))] }));
  const pieces = Array.from({ length: Math.ceil(encoded.length / 1_000) }, (_, index) =>
    encoded.subarray(index * 1_000, (index + 1) * 1_000),
  );
  const answer = await send(team, encoding, ReadableStream.from(pieces));
  expect(answer).toMatchObject({ status: 200, body: { accepted: 1 } });
  expect((await team.rows())[0].content).toBe(letters.join(''));
});

test.for(encodings)('the bound of %s is that of the decompressed body, to the byte', async (encoding) => {
  const { team } = await newTeam(service());
  const fits = await send(team, encoding, encoders[encoding](pushOf(maxBodyBytes)));
  expect(fits.status).toBe(200);
  const tooLarge = await send(team, encoding, encoders[encoding](pushOf(maxBodyBytes + 1)));
  expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'payload_too_large']);
  const question = encoders[encoding](JSON.stringify({ q: 'a', filler: ' '.repeat(64 * 1024) }));
  expect((await send(team, encoding, question, '/query')).status).toBe(413);
});

test.for(encodings)(
  '%s that is damaged, cut short, followed by something or empty is no JSON',
  async (encoding) => {
    const { team } = await newTeam(service());
    const whole = encoders[encoding](JSON.stringify({ items: [item('a.md')] }));
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 12, 24);
    const bodies = {
      damaged,
      'cut short': whole.subarray(0, -4),
      'only begun': whole.subarray(0, 6),
      'followed by something': Buffer.concat([whole, Buffer.from('{"items":[]}')]),
      empty: Buffer.alloc(0),
      plain: Buffer.from(JSON.stringify({ items: [item('a.md')] })),
      'of the other encoding': encoders[encoding === 'gzip' ? 'zstd' : 'gzip']('{}'),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const answer = await send(team, encoding, body);
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'invalid_json']);
    }
    expect(await team.rows()).toEqual([]);
    expect((await team.push(item('b.md'))).status).toBe(200);
  },
);

test('a zstd body that asks for a window of 32 MiB is refused', async () => {
  const { team } = await newTeam(service());
  const params = { [constants.ZSTD_c_windowLog]: 25 };
  const answer = await send(team, 'zstd', zstdCompressSync(Buffer.alloc(40 * 1024 * 1024), { params }));
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_json']);
});

test('other encodings, and several at once, are refused before a byte is decoded', async () => {
  const { team } = await newTeam(service());
  const body = gzipSync(JSON.stringify({ items: [item('a.md')] }));
  for (const encoding of ['br', 'deflate', 'gzip, gzip', 'gzip,identity', 'zstd, gzip', 'x']) {
    const answer = await send(team, encoding, body);
    expect([encoding, answer.status, answer.body.code]).toEqual([encoding, 415, 'unsupported_media_type']);
  }
  const asPlain = JSON.stringify({ items: [item('plain.md')] });
  expect((await send(team, 'identity', asPlain)).status).toBe(200);
});
