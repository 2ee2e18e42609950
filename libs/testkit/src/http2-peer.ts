import { connect as connectTcp, type Socket } from 'node:net';

/** Types of HTTP/2 frames (RFC 9113, section 6). */
const frameTypes = { data: 0, headers: 1, resetStream: 3, settings: 4, windowUpdate: 8 } as const;
const flags = { endStream: 1, acknowledgement: 1, endHeaders: 4 } as const;
/** Settings of a peer. */
const settingsIds = { initialWindowSize: 4 } as const;
const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** The longest frame that every peer accepts. */
const maxFrameBytes = 16_384;

export interface PeerOptions {
  /** Bytes of answers that the peer accepts on a stream; 0 for none at all. Default 65,535. */
  receiveWindowBytes?: number;
  localAddress?: string;
  /** Whether the peer acknowledges the settings of the other side. Default true. */
  acknowledges?: boolean;
}

/**
 * A peer that writes HTTP/2 frames by hand, so that it can do what no client does: never read, never acknowledge,
 * exceed every window and limit.
 */
export interface Http2Peer {
  readonly socket: Socket;
  /** Number of received frames by type. */
  readonly received: ReadonlyMap<number, number>;
  /** Whether the other side closed the connection. */
  isClosed(): boolean;
  /** Opens the next stream and returns its number. */
  request(headers: Record<string, string>, options?: { endStream?: boolean }): number;
  /** Sends a body as fast as the connection takes it, whatever the window allows. */
  flood(stream: number, body: Buffer): void;
  reset(stream: number): void;
  /** Sends the same frame `times` times in one piece. Resolves in a later turn, after the connection took it or closed. */
  repeat(
    frame: { type: number; flags?: number; stream?: number; payload?: Buffer },
    times: number,
  ): Promise<void>;
  /** Writes `count` requests in one piece, each followed by its reset. */
  openAndReset(headers: Record<string, string>, count: number): void;
  close(): void;
}

/** Connects and starts HTTP/2 without TLS. */
export async function connectPeer(url: string, options: PeerOptions = {}): Promise<Http2Peer> {
  const { hostname, port } = new URL(url);
  const { localAddress, receiveWindowBytes = 65_535, acknowledges = true } = options;
  const socket = connectTcp({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
  const received = new Map<number, number>();
  let closed = false;
  let nextStream = 1;
  socket
    .on('error', () => undefined)
    .once('close', () => {
      closed = true;
    });
  readFrames(socket, (type, frameFlags) => {
    received.set(type, (received.get(type) ?? 0) + 1);
    if (acknowledges && type === frameTypes.settings && (frameFlags & flags.acknowledgement) === 0) {
      socket.write(frame(frameTypes.settings, flags.acknowledgement, 0));
    }
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve()).once('close', () => resolve());
  });
  socket.write(preface);
  socket.write(frame(frameTypes.settings, 0, 0, setting(settingsIds.initialWindowSize, receiveWindowBytes)));

  function headersFrame(block: Buffer, endStream: boolean): [number, Buffer] {
    const stream = nextStream;
    nextStream += 2;
    const set = flags.endHeaders | (endStream ? flags.endStream : 0);
    return [stream, frame(frameTypes.headers, set, stream, block)];
  }

  return {
    socket,
    received,
    isClosed: () => closed,
    request(headers, { endStream = false } = {}) {
      const [stream, bytes] = headersFrame(headerBlock(headers), endStream);
      socket.write(bytes);
      return stream;
    },
    flood(stream, body) {
      for (let at = 0; at < body.length; at += maxFrameBytes) {
        socket.write(frame(frameTypes.data, 0, stream, body.subarray(at, at + maxFrameBytes)));
      }
    },
    reset(stream) {
      socket.write(frame(frameTypes.resetStream, 0, stream, uint32(8)));
    },
    async repeat({ type, flags: set = 0, stream = 0, payload }, times) {
      const bytes = Buffer.concat(Array<Buffer>(times).fill(frame(type, set, stream, payload)));
      if (closed) return;
      await new Promise<void>((resolve) => {
        // If the system takes the bytes at once, resolving directly would keep other work waiting.
        const later = () => void setImmediate(resolve);
        socket.once('close', later).write(bytes, later);
      });
    },
    openAndReset(headers, count) {
      const pieces: Buffer[] = [];
      const block = headerBlock(headers);
      for (let time = 0; time < count; time += 1) {
        const [stream, bytes] = headersFrame(block, false);
        pieces.push(bytes, frame(frameTypes.resetStream, 0, stream, uint32(8)));
      }
      socket.write(Buffer.concat(pieces));
    },
    close: () => void socket.destroy(),
  };
}

/** Returns the headers of a POST to a method such as `teammemory.auth.v1.AuthService/GetTeam`. */
export function rpcHeaders(method: string, contentType: string, authorization?: string) {
  return {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': `/${method}`,
    ':authority': 'localhost',
    'content-type': contentType,
    te: 'trailers',
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function frame(type: number, set: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(set, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function setting(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(id, 0);
  bytes.writeUInt32BE(value, 2);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns a header block without compression: each header is a literal with a literal name and is not indexed. */
function headerBlock(headers: Record<string, string>): Buffer {
  const parts = Object.entries(headers).map(([name, value]) =>
    Buffer.concat([Buffer.from([0]), hpackString(name), hpackString(value)]),
  );
  return Buffer.concat(parts);
}

function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

function readFrames(socket: Socket, onFrame: (type: number, frameFlags: number) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= 9) {
      const end = 9 + pending.readUIntBE(0, 3);
      if (pending.length < end) return;
      onFrame(pending.readUInt8(3), pending.readUInt8(4));
      pending = pending.subarray(end);
    }
  });
}
