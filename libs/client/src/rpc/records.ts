import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  fromJson,
  type JsonObject,
  type Message,
  type MessageInitShape,
  type MessageShape,
  type UnknownEnum,
} from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema, timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient, type Transport } from '@connectrpc/connect';
import type { CallOptions } from '../call-options.ts';
import { RpcError, toRpcError } from './rpc-error.ts';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? '' : '_'}${Lowercase<First>}${SnakeCase<Rest>}`
  : '';

/**
 * A message in the form of the public API: names in snake_case, times in RFC 3339 and UTC, enums by name, null for what
 * is not set. Protobuf's own JSON writes numbers of 64 bits as texts, prefixes the names of enums, leaves out what is
 * not set, and shortens times. Fields of a oneof are left out: no answer that this client reads has one.
 */
export type RecordOf<Shape> = {
  [Name in keyof Shape as Name extends `$${string}` ? never : SnakeCase<Name & string>]-?: Field<Shape[Name]>;
};

type Field<Value> = undefined extends Value ? Plain<Exclude<Value, undefined>> | null : Plain<Value>;

type Plain<Value> = [Value] extends [string | boolean | Uint8Array]
  ? Value
  : [Value] extends [bigint]
    ? number
    : [Value] extends [number]
      ? EnumName<Value>
      : [Value] extends [Timestamp]
        ? string
        : [Value] extends [Message]
          ? RecordOf<Value>
          : [Value] extends [(infer Entry)[]]
            ? Plain<Entry>[]
            : { [Key in keyof Value]: Plain<Value[Key]> };

/** Null for the value that stands for none, `unknown` for one that only a later version has. */
type EnumName<Value extends number> = [number] extends [Value]
  ? number
  : [UnknownEnum] extends [Value]
    ? string | null
    : never;

/** The unary methods of a service. Their answers are records, and they throw RpcError. */
export type RecordClient<Service extends DescService> = {
  [Name in keyof Service['method']]: Service['method'][Name] extends DescMethodUnary<
    infer Request,
    infer Answer
  >
    ? (request: MessageInitShape<Request>, options?: CallOptions) => Promise<RecordOf<MessageShape<Answer>>>
    : never;
};

type MessageCall = (request: object, options?: CallOptions) => Promise<Message>;

/** Makes a client that calls a service through the transport. */
export function createRecordClient<Service extends DescService>(
  service: Service,
  transport: Transport,
): RecordClient<Service> {
  const client = createClient(service, transport) as unknown as Record<string, MessageCall>;
  const methods = service.methods.map(({ localName, output }) => [
    localName,
    (request: object, options?: CallOptions) =>
      translated(async () => toRecord(output, await (client[localName] as MessageCall)(request, options))),
  ]);
  return Object.fromEntries(methods);
}

/** Runs a call and turns whatever it throws into an RpcError. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RpcError ? thrown : toRpcError(thrown);
  }
}

/** Returns a message as a record. */
export function toRecord<Schema extends DescMessage>(
  { fields }: Schema,
  message: MessageShape<Schema>,
): RecordOf<MessageShape<Schema>> {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  const entries = fields.map((field) => [field.name, fieldValue(field, values[field.localName])]);
  return Object.fromEntries(entries);
}

function fieldValue(field: DescField, value: unknown): unknown {
  if (value === undefined) return null;
  if (field.fieldKind === 'list') return (value as unknown[]).map((entry) => plainValue(field, entry));
  if (field.fieldKind !== 'map') return plainValue(field, value);
  const entries = Object.entries(value as object).map(([key, entry]) => [key, plainValue(field, entry)]);
  return Object.fromEntries(entries);
}

function plainValue({ message, enum: names }: DescField, value: unknown): unknown {
  if (names) return enumName(names, value as number);
  if (message?.typeName === TimestampSchema.typeName) return timestampDate(value as Timestamp).toISOString();
  if (message) return toRecord(message, value as Message);
  return typeof value === 'bigint' ? Number(value) : value;
}

function enumName({ value: values }: DescEnum, value: number): string | null {
  return value === 0 ? null : (values[value]?.localName.toLowerCase() ?? 'unknown');
}

/** Returns a message that has the fields of a record without enums. What only the record has is ignored. */
export function fromRecord<Schema extends DescMessage>(schema: Schema, record: object): MessageShape<Schema> {
  return fromJson(schema, record as JsonObject, { ignoreUnknownFields: true });
}

/** Returns the number of an enum's value by its name in the public API, or of no value for undefined. */
export function enumNumber<
  Name extends string,
  Numbers extends Readonly<Record<Uppercase<Name> | 'UNSPECIFIED', number>>,
>(numbers: Numbers, name: Name | undefined): Numbers[keyof Numbers] {
  return numbers[(name?.toUpperCase() ?? 'UNSPECIFIED') as keyof Numbers];
}
