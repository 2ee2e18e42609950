/** What a character may be in a word, as bits. */
export const [other, letter, number, mark] = [1, 2, 4, 8];

/** By UTF-16 unit; 0 for one not met yet, and for surrogates, whose class is that of their pair. */
const classes = new Uint8Array(2 ** 16);

/** The class of the character that the UTF-16 unit at this place is, or is a part of. Underscores count as numbers. */
export function classAt(units: Uint16Array, at: number): number {
  return classes[units[at] as number] || classify(units, at);
}

export function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}

function classify(units: Uint16Array, at: number): number {
  const unit = units[at] as number;
  const first = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  const pair = String.fromCharCode(units[first] ?? 0, units[first + 1] ?? 0);
  const isPair = (pair.codePointAt(0) ?? 0) > 0xffff;
  const found = classOf(isPair ? pair : String.fromCharCode(unit));
  if (unit < 0xd800 || unit > 0xdfff) classes[unit] = found;
  return found;
}

function classOf(character: string): number {
  if (/\p{L}/u.test(character)) return letter;
  if (/[\p{N}_]/u.test(character)) return number;
  return /\p{M}/u.test(character) ? mark : other;
}
