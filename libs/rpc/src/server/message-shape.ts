import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { createJsonScan } from '@teammemory/vocabulary/json-scan.ts';

/** Levels of messages in messages; ours have at most four. */
const maxDepth = 32;

/** Why a message is not made into objects. */
export type ShapeFault = 'malformed' | 'too_many_elements' | 'too_deep';

/** The form of a field on the wire. */
interface FieldShape {
  wireType: WireType;
  /** Whether it is repeated and its elements may come in one piece. */
  isPackable: boolean;
  /** The fields of the message that it holds. */
  nested?: () => MessageShape;
}
type MessageShape = ReadonlyMap<number, FieldShape>;

const eightBytes = [ScalarType.DOUBLE, ScalarType.FIXED64, ScalarType.SFIXED64];
const fourBytes = [ScalarType.FLOAT, ScalarType.FIXED32, ScalarType.SFIXED32];
const withLength = [ScalarType.STRING, ScalarType.BYTES];

/**
 * Looks at the bytes of a message in the binary format, without making objects
 * of them, and counts every field that occurs at any depth; packed ones by
 * their elements. Takes time linear in the bytes.
 *
 * A field whose wire type is not that of its declaration is a fault: the
 * decoder would read it as declared, and so other bytes as fields than these.
 */
export function binaryShapeFault(
  message: DescMessage,
  bytes: Uint8Array,
  maxElements: number,
): ShapeFault | undefined {
  const reader = new BinaryReader(bytes);
  let elements = 0;

  function read(shape: MessageShape, end: number, depth: number): ShapeFault | undefined {
    if (end > bytes.length) return 'malformed';
    if (depth > maxDepth) return 'too_deep';
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = shape.get(number);
      const isPacked = field?.isPackable === true && wireType === WireType.LengthDelimited;
      const isDeclared = field === undefined || wireType === field.wireType || isPacked;
      // No message of ours has groups.
      if (!isDeclared || wireType === WireType.StartGroup) return 'malformed';
      elements += isPacked ? packedElements(reader, field.wireType) : 1;
      if (elements > maxElements) return 'too_many_elements';
      if (isPacked) continue;
      if (field?.nested === undefined) reader.skip(wireType, number);
      else {
        const length = reader.uint32();
        const fault = read(field.nested(), reader.pos + length, depth + 1);
        if (fault !== undefined) return fault;
      }
    }
    return reader.pos === end ? undefined : 'malformed';
  }

  try {
    return read(shapeOf(message), bytes.length, 1);
  } catch {
    return 'malformed';
  }
}

/**
 * The same for JSON: counts what stands between brackets and commas. What is
 * not JSON is left for the parser to tell.
 */
export function jsonShapeFault(bytes: Uint8Array, maxElements: number): ShapeFault | undefined {
  const exceeded = createJsonScan({ maxValues: maxElements, maxLevels: maxDepth }).read(bytes);
  return exceeded && (exceeded === 'values' ? 'too_many_elements' : 'too_deep');
}

/** Reads a packed field and counts its elements; one without any is a field that occurs, too. */
function packedElements(reader: BinaryReader, wireType: WireType): number {
  const bytes = reader.bytes();
  if (wireType === WireType.Bit64) return Math.max(1, Math.ceil(bytes.length / 8));
  if (wireType === WireType.Bit32) return Math.max(1, Math.ceil(bytes.length / 4));
  let count = 0;
  for (const byte of bytes) if (byte < 0x80) count += 1;
  return Math.max(1, count);
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
      [1, { wireType: wireTypeOf(field.mapKey), isPackable: false }],
      [2, valueShape(field)],
    ]);
    return { wireType: WireType.LengthDelimited, isPackable: false, nested: () => entry };
  }
  const value = valueShape(field);
  return { ...value, isPackable: field.fieldKind === 'list' && value.wireType !== WireType.LengthDelimited };
}

function valueShape({ message, scalar }: DescField): FieldShape {
  if (message === undefined) return { wireType: wireTypeOf(scalar), isPackable: false };
  return { wireType: WireType.LengthDelimited, isPackable: false, nested: () => shapeOf(message) };
}

/** What is neither a message nor a scalar is an enum. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  if (scalar === undefined) return WireType.Varint;
  if (eightBytes.includes(scalar)) return WireType.Bit64;
  if (fourBytes.includes(scalar)) return WireType.Bit32;
  return withLength.includes(scalar) ? WireType.LengthDelimited : WireType.Varint;
}
