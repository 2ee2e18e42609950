import { createJsonScan } from './json-scan.ts';

/**
 * Parses a JSON text of a file that somebody else may have prepared. It is measured before it is parsed: two characters
 * become an object of dozens of bytes, so a text that fits into memory may not do so as values.
 * @throws RangeError for one that is too large, SyntaxError for one that is no JSON.
 */
export function parseBoundedJson(
  text: string,
  { maxCharacters, maxValues }: { maxCharacters: number; maxValues: number },
): unknown {
  if (text.length > maxCharacters)
    throw new RangeError(`a JSON text has more than ${maxCharacters} characters`);
  if (hasMoreValues(text, maxValues)) throw new RangeError(`a JSON text has more than ${maxValues} values`);
  return JSON.parse(text);
}

function hasMoreValues(text: string, maxValues: number): boolean {
  // Fewer characters than that cannot have so many.
  if (text.length <= maxValues) return false;
  const scan = createJsonScan({ maxValues, maxLevels: maxValues });
  return scan.read(new TextEncoder().encode(text)) !== undefined;
}
