import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';

/** Levels of messages in messages; ours have at most four. */
const maxDepth = 32;

/** Why a message is not made into objects. */
export type ShapeFault = 'malformed' | 'too_many_elements' | 'too_deep';

/** The form of a field on the wire. */
interface FieldShape {
  wireType: WireType;
  /** Of a repeated field that may also come packed: bytes of each element, 0 for varints. */
  packedBytes?: 0 | 4 | 8;
  /** The fields of the message that it holds. */
  nested?: () => MessageShape;
}
type MessageShape = ReadonlyMap<number, FieldShape>;

const wireTypes: Record<ScalarType, WireType> = {
  [ScalarType.DOUBLE]: WireType.Bit64,
  [ScalarType.FLOAT]: WireType.Bit32,
  [ScalarType.INT64]: WireType.Varint,
  [ScalarType.UINT64]: WireType.Varint,
  [ScalarType.INT32]: WireType.Varint,
  [ScalarType.FIXED64]: WireType.Bit64,
  [ScalarType.FIXED32]: WireType.Bit32,
  [ScalarType.BOOL]: WireType.Varint,
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
  [ScalarType.UINT32]: WireType.Varint,
  [ScalarType.SFIXED32]: WireType.Bit32,
  [ScalarType.SFIXED64]: WireType.Bit64,
  [ScalarType.SINT32]: WireType.Varint,
  [ScalarType.SINT64]: WireType.Varint,
};
const packedBytesOf: Partial<Record<WireType, 0 | 4 | 8>> = {
  [WireType.Varint]: 0,
  [WireType.Bit32]: 4,
  [WireType.Bit64]: 8,
};

/**
 * Looks at the bytes of a message in the binary format, without making objects
 * of them, and counts every field that occurs at any depth; packed ones by
 * their elements. Takes time linear in the bytes, at most `maxElements` steps
 * and the bytes of packed fields.
 *
 * A field whose wire type is not that of its declaration is a fault: the
 * decoder would read it as declared, and so other bytes as fields than these.
 */
export function binaryShapeFault(
  message: DescMessage,
  bytes: Uint8Array,
  maxElements: number,
): ShapeFault | undefined {
  const levels: { shape: MessageShape; end: number }[] = [{ shape: shapeOf(message), end: bytes.length }];
  const cursor = { bytes, at: 0 };
  let elements = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (cursor.at === level.end) {
      levels.pop();
      continue;
    }
    const tag = readVarint(cursor);
    const [number, wireType] = [Math.floor(tag / 8), tag % 8];
    const field = level.shape.get(number);
    const isPacked = field?.packedBytes !== undefined && wireType === WireType.LengthDelimited;
    if (number === 0 || (field !== undefined && wireType !== field.wireType && !isPacked)) return 'malformed';
    const length = lengthOf(cursor, wireType);
    const next = cursor.at + length;
    if (!(next <= level.end)) return 'malformed';
    // A packed field without elements is a field that occurs, too.
    elements += isPacked ? Math.max(1, packedElements(cursor, length, field.packedBytes ?? 0)) : 1;
    if (elements > maxElements) return 'too_many_elements';
    if (field?.nested === undefined) cursor.at = next;
    else if (levels.length === maxDepth) return 'too_deep';
    else levels.push({ shape: field.nested(), end: next });
  }
  return undefined;
}

/**
 * The same for JSON: counts what stands between brackets and commas. What is
 * not JSON is left for the parser to tell.
 */
export function jsonShapeFault(bytes: Uint8Array, maxElements: number): ShapeFault | undefined {
  let elements = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22: // "
        at = endOfString(bytes, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > maxDepth) return 'too_deep';
        elements += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
      case 0x2c: // ,
        elements += 1;
        break;
    }
    if (elements > maxElements) return 'too_many_elements';
  }
  return undefined;
}

/** Place of the quote that ends the string beginning at `start`, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(0x22, start + 1); quote !== -1; quote = bytes.indexOf(0x22, quote + 1)) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return bytes.length;
}

/** Bytes of the value that begins at the cursor, which stands behind the length where there is one; NaN for none. */
function lengthOf(cursor: { bytes: Uint8Array; at: number }, wireType: number): number {
  switch (wireType) {
    case WireType.Varint: {
      const start = cursor.at;
      const value = readVarint(cursor);
      const length = cursor.at - start;
      cursor.at = start;
      return Number.isNaN(value) ? value : length;
    }
    case WireType.Bit64:
      return 8;
    case WireType.Bit32:
      return 4;
    case WireType.LengthDelimited:
      return readVarint(cursor);
    default:
      // Groups: no message of ours has any.
      return Number.NaN;
  }
}

/** Reads a varint of at most ten bytes and moves behind it; NaN where there is none. */
function readVarint(cursor: { bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let digits = 0; digits < 10; digits += 1) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) return Number.NaN;
    cursor.at += 1;
    value += (byte & 0x7f) * 2 ** (7 * digits);
    if (byte < 0x80) return value;
  }
  return Number.NaN;
}

function packedElements(
  { bytes, at }: { bytes: Uint8Array; at: number },
  length: number,
  each: number,
): number {
  if (each > 0) return Math.ceil(length / each);
  let count = 0;
  for (let place = at; place < at + length; place += 1) if ((bytes[place] ?? 0) < 0x80) count += 1;
  return count;
}

const shapes = new WeakMap<DescMessage, MessageShape>();

function shapeOf(message: DescMessage): MessageShape {
  let shape = shapes.get(message);
  if (shape === undefined) {
    shape = new Map(message.fields.map((field) => [field.number, fieldShapeOf(field)]));
    shapes.set(message, shape);
  }
  return shape;
}

function fieldShapeOf(field: DescField): FieldShape {
  if (field.fieldKind === 'map') {
    const entry = new Map([
      [1, { wireType: wireTypes[field.mapKey] }],
      [2, valueShape(field)],
    ]);
    return { wireType: WireType.LengthDelimited, nested: () => entry };
  }
  const value = valueShape(field);
  const packedBytes = field.fieldKind === 'list' ? packedBytesOf[value.wireType] : undefined;
  return packedBytes === undefined ? value : { ...value, packedBytes };
}

function valueShape({ message, scalar }: DescField): FieldShape {
  if (message !== undefined) return { wireType: WireType.LengthDelimited, nested: () => shapeOf(message) };
  // What is neither a message nor a scalar is an enum.
  return { wireType: scalar === undefined ? WireType.Varint : wireTypes[scalar] };
}
