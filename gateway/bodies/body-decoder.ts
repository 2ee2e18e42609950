import { constants, createGunzip, createZstdDecompress, type ZlibOptions, type ZstdOptions } from 'node:zlib';
import { AppError } from '@teammemory/errors/app-error.ts';

/** Encodings of request bodies, beside none. */
export type BodyEncoding = 'gzip' | 'zstd';

/** Bytes that are decoded at a time: the reader may stop after each piece. */
const pieceBytes = 64 * 1024;
/**
 * A zstd decoder allocates the window that the body names, so that is bounded: 8 MiB (2^23), which every decoder should
 * support (RFC 8878, 3.1.1.1.2). Node's own bound is 128 MiB.
 */
const maxWindowLog = 23;

/** Decodes one body while it arrives. */
export interface BodyDecoder {
  /** Decodes some bytes; resolves when the reader has taken all that came of them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the body; resolves when the reader has taken all of it. */
  end(): Promise<void>;
  /** Frees the decoder. May be called at any time, and more than once. */
  close(): void;
}

/**
 * Returns the encoding of a body by its header `Content-Encoding`, undefined for none.
 * @throws AppError `unsupported_media_type` for any other encoding and for several at once.
 */
export function bodyEncoding(header: string | undefined): BodyEncoding | undefined {
  const name = header?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity') return undefined;
  if (name === 'gzip' || name === 'zstd') return name;
  throw new AppError(
    'unsupported_media_type',
    'The content encoding of the body must be gzip, zstd or none.',
  );
}

/**
 * Creates the decoder of a body. `read` is called with each piece, one at a time, and nothing more is decoded until it has
 * returned: a few bytes may stand for gigabytes, and what the reader refuses is never decoded. To write and to end throw
 * AppError `invalid_json` for a body that is cut short or not of the encoding, and whatever the reader throws.
 */
export function createBodyDecoder(
  encoding: BodyEncoding,
  read: (piece: Buffer) => Promise<void> | undefined,
): BodyDecoder {
  const stream = encoding === 'gzip' ? createGunzip(gunzipOptions) : createZstdDecompress(zstdOptions);
  // Every error reaches the reader through `over`.
  stream.on('error', () => undefined);
  const over = consume();
  // Whoever writes or ends is told; the decoder may also be closed before either.
  over.catch(() => undefined);

  async function consume(): Promise<void> {
    try {
      for await (const piece of stream) {
        const room = read(piece as Buffer);
        if (room !== undefined) await room;
      }
    } catch (cause) {
      if (cause !== stream.errored) throw cause;
      throw new AppError('invalid_json', `The body is not valid ${encoding}.`, { cause });
    } finally {
      stream.destroy();
    }
  }

  return {
    write(bytes) {
      const { promise: written, resolve } = Promise.withResolvers<void>();
      // An error reaches the writer through `over`.
      stream.write(bytes, () => resolve());
      return Promise.race([written.then(() => undefined), over]);
    },
    end() {
      stream.end();
      return over;
    },
    close: () => stream.destroy(),
  };
}

// Node has this option for its DecompressionStream; its types do not.
const strict = { rejectGarbageAfterEnd: true };
const gunzipOptions: ZlibOptions = { chunkSize: pieceBytes, ...strict };
const zstdOptions: ZstdOptions = {
  chunkSize: pieceBytes,
  params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog },
  ...strict,
};
