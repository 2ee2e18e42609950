import { connect } from 'node:http2';

/** A call that takes longer has failed. */
const callTimeoutMs = 30_000;
/** Bit of a frame's first byte that marks trailers (gRPC-Web) or the end of a stream (Connect). */
const endFlags = 0x80 | 0x02;

/** The three protocols of the listener, each with JSON messages, so that no client of ours is in between. */
export const rpcProtocols = ['connect', 'grpc', 'grpc-web'] as const;

/** How a call ended: `ok` or the RPC code by its name in snake case. */
export interface RpcAnswer {
  code: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  message: any;
}

/** The codes of gRPC that tests meet, by number. */
const grpcCodes: Readonly<Record<string, string>> = {
  0: 'ok',
  3: 'invalid_argument',
  4: 'deadline_exceeded',
  5: 'not_found',
  7: 'permission_denied',
  12: 'unimplemented',
  16: 'unauthenticated',
};

/** Calls one method by hand, over HTTP/2 without TLS, and reads its first message. */
export async function rpcCall(options: {
  rpcUrl: string;
  protocol: (typeof rpcProtocols)[number];
  /** As in `teammemory.auth.v1.AuthService/GetTeam`. */
  method: string;
  streaming?: boolean;
  message?: object;
  authorization?: string;
  /** The deadline that the call says it has. */
  timeoutMs?: number;
}): Promise<RpcAnswer> {
  const { protocol, authorization, timeoutMs } = options;
  const unaryConnect = protocol === 'connect' && options.streaming !== true;
  const json = Buffer.from(JSON.stringify(options.message ?? {}));
  const answer = await post(options.rpcUrl, unaryConnect ? json : framed(json), {
    ':path': `/${options.method}`,
    'content-type': contentTypeOf(protocol, unaryConnect),
    ...(protocol === 'connect' ? { 'connect-protocol-version': '1' } : { te: 'trailers' }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(timeoutMs === undefined ? {} : deadlineHeader(protocol, timeoutMs)),
  });
  if (unaryConnect) {
    const message = JSON.parse(answer.body.toString());
    return { code: answer.headers[':status'] === '200' ? 'ok' : message.code, message };
  }
  const { messages, end } = frames(answer.body);
  if (protocol === 'connect') {
    return { code: JSON.parse(end || '{}').error?.code ?? 'ok', message: messages[0] };
  }
  const status = answer.headers['grpc-status'] ?? /grpc-status: *(\d+)/i.exec(end)?.[1] ?? 'none';
  return { code: grpcCodes[status] ?? status, message: messages[0] };
}

function deadlineHeader(protocol: string, timeoutMs: number): Record<string, string> {
  return protocol === 'connect'
    ? { 'connect-timeout-ms': `${timeoutMs}` }
    : { 'grpc-timeout': `${timeoutMs}m` };
}

function contentTypeOf(protocol: string, unaryConnect: boolean): string {
  if (unaryConnect) return 'application/json';
  return `application/${protocol}+json`;
}

/** Sends one request; headers and trailers are joined. */
function post(url: string, body: Buffer, headers: Record<string, string>) {
  return new Promise<{ headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    const session = connect(url).on('error', reject);
    const request = session.request({ ':method': 'POST', ...headers });
    request.setTimeout(callTimeoutMs, () => request.destroy(new Error('no answer in time')));
    const answered: Record<string, string> = {};
    const keep = (more: object) => {
      for (const [name, value] of Object.entries(more)) answered[name] = String(value);
    };
    const chunks: Buffer[] = [];
    request
      .on('response', keep)
      .on('trailers', keep)
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('close', () => {
        session.close();
        resolve({ headers: answered, body: Buffer.concat(chunks) });
      });
    request.end(body);
  });
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function frames(body: Buffer): { messages: unknown[]; end: string } {
  const messages: unknown[] = [];
  let end = '';
  for (let at = 0; at < body.length; ) {
    const data = body.subarray(at + 5, at + 5 + body.readUInt32BE(at + 1));
    if ((body.readUInt8(at) & endFlags) === 0) messages.push(JSON.parse(data.toString()));
    else end = data.toString();
    at += 5 + data.length;
  }
  return { messages, end };
}
