/** How large a JSON text may be. */
export interface JsonBounds {
  maxCharacters: number;
  /** Members of objects and elements of arrays, in all. */
  maxValues: number;
}

const [quote, comma, bracket, brace, backslash] = [...'",[{\\'].map((sign) => sign.charCodeAt(0));

/**
 * Parses a JSON text of a file that somebody else may have prepared. It is measured before it is parsed: two characters
 * become an object of dozens of bytes, so a text that fits into memory may not do so as values.
 * @throws RangeError for one that is too large, SyntaxError for one that is no JSON.
 */
export function parseBoundedJson(text: string, { maxCharacters, maxValues }: JsonBounds): unknown {
  if (text.length > maxCharacters)
    throw new RangeError(`a JSON text has more than ${maxCharacters} characters`);
  if (hasMoreValues(text, maxValues)) throw new RangeError(`a JSON text has more than ${maxValues} values`);
  return JSON.parse(text);
}

function hasMoreValues(text: string, max: number): boolean {
  // Fewer characters than that cannot have so many.
  if (text.length <= max) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === backslash) at += 1;
      else if (code === quote) isInText = false;
    } else if (code === quote) {
      isInText = true;
    } else if (code === comma || code === bracket || code === brace) {
      values += 1;
      if (values > max) return true;
    }
  }
  return false;
}
