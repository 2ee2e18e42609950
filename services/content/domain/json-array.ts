const comma = Buffer.from(',');

/** Joins texts of JSON into one JSON array without reading them. */
export function jsonArray(elements: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('[')];
  for (const [index, element] of elements.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(element);
  }
  parts.push(Buffer.from(']'));
  return Buffer.concat(parts);
}
