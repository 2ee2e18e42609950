const bytesPerNumber = 4;

/** A vector as rows keep it: its numbers as 32-bit floats, little-endian. */
export function vectorToBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * bytesPerNumber);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < vector.length; index += 1)
    view.setFloat32(index * bytesPerNumber, vector[index] as number, true);
  return bytes;
}

/** The inverse of `vectorToBytes`. */
export function vectorFromBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(bytes.byteLength / bytesPerNumber);
  for (let index = 0; index < vector.length; index += 1)
    vector[index] = view.getFloat32(index * bytesPerNumber, true);
  return vector;
}
