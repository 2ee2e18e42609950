import { withinMs } from './within-ms.ts';

/**
 * Reads a body chunk by chunk and fails with a TimeoutError when nothing comes
 * for `stallTimeoutMs`. Only waiting counts: the time that the reader of these
 * chunks takes itself does not. The body is cancelled however reading ends.
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  stallTimeoutMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinMs(reader.read(), stallTimeoutMs);
      if (done) return;
      yield value;
    }
  } finally {
    // Cancelling a body that has failed already rejects with the same failure, which is on its way to the caller.
    await reader.cancel().catch(() => undefined);
  }
}
