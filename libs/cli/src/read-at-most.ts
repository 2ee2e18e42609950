/** Reads chunks to their end as UTF-8. Throws what `refusal` returns as soon as there are more than `maxBytes`. */
export async function readAtMost(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  maxBytes: number,
  refusal: () => Error,
): Promise<string> {
  const buffers: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk as Uint8Array);
    bytes += buffer.length;
    if (bytes > maxBytes) throw refusal();
    buffers.push(buffer);
  }
  return Buffer.concat(buffers).toString();
}
