import { connect } from 'node:http2';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { Health } from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '@teammemory/proto/grpc/reflection/v1/reflection_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

type DescMethod = (typeof services)[number]['methods'][number];
type DescField = DescMethod['input']['fields'][number];

const mebibyte = 1024 * 1024;
const answerTimeoutMs = 30_000;
const services = [AnalyticsService, AuthService, ContentService, QueryService, Health, ServerReflection];
/** Codes that say that a call was refused, by number of gRPC and as statuses of Connect. */
const refusals = ['3', '7', '8', '16', '400', '401', '403', '429'];

/** So many bytes of one piece, over and over. */
function repeated(piece: Buffer, bytes: number): Buffer {
  return Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece);
}

/** A field of a message with nothing in it. */
function emptyField({ number }: Pick<DescField, 'number'>): Buffer {
  return Buffer.from([number * 8 + 2, 0]);
}

/** Messages of a method that are small on the way and large as objects. */
function swollenMessages({ input }: DescMethod, bytes: number): [string, string, Buffer][] {
  const many = input.fields.filter(({ fieldKind }) => fieldKind === 'list' || fieldKind === 'map');
  const inner = input.fields.flatMap((outer) =>
    (outer.message?.fields ?? [])
      .filter(({ fieldKind }) => fieldKind === 'list' || fieldKind === 'map')
      .map((field) => ({ outer, field })),
  );
  return [
    ['unknown fields', 'proto', repeated(Buffer.from([0xfa, 0x01, 0]), bytes)],
    // As bytes in a field that has none: a decoder that does not look would read them as fields.
    [
      'hidden fields',
      'proto',
      Buffer.concat([Buffer.from([0x12, 0xff, 0xff, 0x7f]), repeated(Buffer.from([0x0a, 0]), bytes)]),
    ],
    ...many.map((field): [string, string, Buffer] => [
      field.name,
      'proto',
      repeated(emptyField(field), bytes),
    ]),
    ...inner.map(({ outer, field }): [string, string, Buffer] => {
      const elements = repeated(emptyField(field), 126);
      const piece = Buffer.concat([Buffer.from([outer.number * 8 + 2, elements.length]), elements]);
      return [`${outer.name}.${field.name}`, 'proto', repeated(piece, bytes)];
    }),
    ...['{}', '[]', '0', '{"a":0}'].map((piece): [string, string, Buffer] => {
      const name = many[0]?.jsonName ?? 'unknown';
      return [
        piece,
        'json',
        Buffer.concat([Buffer.from(`{"${name}":[`), repeated(Buffer.from(`${piece},`), bytes)]),
      ];
    }),
    ['nested arrays', 'json', Buffer.concat([Buffer.from('{"a":'), repeated(Buffer.from('['), bytes)])],
  ];
}

/** Sends a message and returns the status of Connect or gRPC, or `reset`. */
function send(url: string, method: DescMethod, type: string, body: Buffer, authorization?: string) {
  const isUnary = method.methodKind === 'unary';
  const envelope = Buffer.alloc(5);
  envelope.writeUInt32BE(body.length, 1);
  return new Promise<string>((resolve) => {
    const session = connect(url).on('error', () => resolve('reset'));
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${method.parent.typeName}/${method.name}`,
      'content-type': `application/${isUnary ? '' : 'grpc+'}${type}`,
      te: 'trailers',
      ...(authorization === undefined ? {} : { authorization }),
    });
    let status = 'reset';
    const note = (headers: object) => {
      const { ':status': http, 'grpc-status': grpc } = headers as Record<string, unknown>;
      const said = isUnary ? http : grpc;
      if (said !== undefined) status = String(said);
    };
    stream
      .on('response', note)
      .on('trailers', note)
      .on('error', () => undefined);
    stream.setTimeout(answerTimeoutMs, () => stream.destroy());
    stream.once('close', () => {
      session.destroy();
      resolve(status);
    });
    stream.resume().end(isUnary ? body : Buffer.concat([envelope, body]));
  });
}

describe('messages of empty elements', { timeout: 180_000 }, () => {
  let service: StartedService;
  const keyOf: Record<string, string> = {};
  beforeAll(async () => {
    service = await startService();
    const team = await service.createTeam();
    for (const audience of ['analytics', 'auth', 'content', 'query']) {
      keyOf[audience] = await exchange(service, await team.newKey('external'), audience);
    }
  });
  afterAll(() => service.remove());

  test.each([48, 100])(
    'PushItems of %d MiB with an external key is refused on its headers',
    async (mebibytes) => {
      const body = repeated(Buffer.from([0x0a, 0]), mebibytes * mebibyte);
      await underAttack(`PushItems, ${mebibytes} MiB of empty items`, service, async () => {
        const sent = Array.from({ length: 4 }, () =>
          send(service.rpcUrl, ContentService.method.pushItems, 'proto', body, keyOf.content),
        );
        for (const status of await Promise.all(sent)) expect(['403', 'reset']).toContain(status);
      });
    },
  );

  test.each(
    services.flatMap(({ methods }) =>
      methods.map((method) => ({ name: `${method.parent.typeName}/${method.name}`, method })),
    ),
  )('$name refuses them from whoever may call, before they become objects', async ({ name, method }) => {
    const audience = method.parent.typeName.split('.')[1] ?? '';
    const callers = [undefined, keyOf[audience], `Bearer ${service.adminToken}`];
    await underAttack(name, service, async () => {
      // Just below what any method takes of others than the gateway, and far above it.
      for (const bytes of [3.9 * mebibyte, 16 * mebibyte]) {
        for (const [, type, body] of swollenMessages(method, bytes)) {
          for (const authorization of callers) {
            const status = await send(service.rpcUrl, method, type, body, authorization);
            expect([...refusals, 'reset']).toContain(status);
          }
        }
      }
    });
  });
});
