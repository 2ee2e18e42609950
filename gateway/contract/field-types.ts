import { maxRowKeyBytes, rowKeyPrefixFault } from '@teammemory/vocabulary/row-key.ts';
import { z } from 'zod';
import { asDouble } from '../bodies/json-body.ts';

/** The largest count that services take: 32 bits with a sign. */
const maxCount = 2 ** 31 - 1;

/** What the OpenAPI document says about a text; lengths are in code points. */
interface TextForm {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  enum?: readonly string[];
}

/** A text. The service checks what it contains; `form` only documents that for clients. */
export function text(description: string, form: TextForm = {}) {
  return (
    z
      .string({ error: 'must be a string' })
      // A lone surrogate has no UTF-8 form, so it could not be sent or stored unchanged.
      .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
      .meta({ description, ...form })
  );
}

/** A name of 1 to `maxLength` characters on one line; checked like any text. */
export function name(description: string, maxLength: number) {
  return text(description, { minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });
}

/** A whole number from `minimum` to `maximum`. */
export function count(description: string, { minimum, maximum } = { minimum: 0, maximum: maxCount }) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, error).max(maximum, error).meta({ description });
}

/** A number from 0 to `maximum`, fractions included. */
export function amount(description: string, maximum: number) {
  const error = `must be a number from 0 to ${maximum}`;
  return z.number({ error }).min(0, error).max(maximum, error).meta({ description });
}

/** A finite number of 0 or more. */
export function unboundedAmount(description: string) {
  const error = 'must be a finite number from 0 on';
  return z.preprocess(asDouble, z.number({ error }).min(0, error)).meta({ description });
}

/** A level of readiness or maturity. */
export function level(description: string) {
  const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;
  return z.enum(levels, { error: 'must be one of L0, L1, L2, L3, L4 and L5' }).meta({ description });
}

/**
 * A list of at most `maximum` entries. Their number is checked first, because
 * finding each of a million faults takes seconds.
 */
export function list<Entry extends z.ZodType>(entry: Entry, maximum: number) {
  const fits = (value: unknown) => !Array.isArray(value) || value.length <= maximum;
  return z
    .preprocess(
      onlyIf(fits, `must have at most ${maximum} entries`),
      z.array(entry, { error: 'must be an array' }),
    )
    .meta({ maxItems: maximum });
}

/** An object of at most `maximum` members with names of one kind. Their number is checked first. */
export function record<Name extends z.ZodType<string, string>, Entry extends z.ZodType>(
  name: Name,
  entry: Entry,
  maximum: number,
) {
  const fits = (value: unknown) =>
    typeof value !== 'object' || value === null || Object.keys(value).length <= maximum;
  return z
    .preprocess(
      onlyIf(fits, `must have at most ${maximum} members`),
      z.record(name, entry, { error: 'must be an object' }),
    )
    .meta({ maxProperties: maximum });
}

/** Passes a value on to its schema if it fits, or else reports `message` instead. */
function onlyIf(fits: (value: unknown) => boolean, message: string) {
  return (value: unknown, context: z.RefinementCtx) => {
    if (!fits(value)) context.addIssue({ code: 'custom', message });
    return value;
  };
}

/** An object whose unknown members are dropped. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: 'must be an object' });
}

/**
 * JSON Schema of what clients write, for zod schemas that cannot be converted: a
 * parameter is text that is parsed into something else, and a custom check has no
 * type. It replaces what would be generated; the description stays.
 */
export const wireForm = z.registry<Record<string, unknown>>();

/** The beginning of a row_key. */
export function rowKeyPrefix(description: string) {
  return z
    .string({ error: 'must be given once' })
    .superRefine((prefix, context) => {
      const fault = rowKeyPrefixFault(prefix);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ description, maxLength: maxRowKeyBytes });
}
