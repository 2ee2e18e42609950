/** Texts of one call: enough that its fixed cost does not matter, few enough for a small machine to embed within a minute. */
const textsPerBatch = 32;
/** Bytes of one call, four times what 32 ordinary passages have. */
const bytesPerBatch = 128 * 1024;

/** Cuts what is to be embedded into batches for one call each, in order. None is empty; a text alone may be of any size. */
export function embeddingBatches<Entry extends { text: string }>(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.text);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === textsPerBatch || bytes + size > bytesPerBatch) {
      batches.push([entry]);
      bytes = size;
    } else {
      batch.push(entry);
      bytes += size;
    }
  }
  return batches;
}
