import { z } from 'zod';
import { asDouble } from '../json-body.ts';

/** The largest count that services take: 32 bits with a sign. */
const countMax = 2 ** 31 - 1;

/** What the document says about a text; lengths are in code points. */
interface TextForm {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  enum?: readonly string[];
}

/** A text. What may stand in it is the service's to check; `form` tells it to clients and checks nothing. */
export function text(description: string, form: TextForm = {}) {
  return (
    z
      .string({ error: 'must be a string' })
      // A lone surrogate has no UTF-8, so it could reach no service and no disk unchanged.
      .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
      .meta({ description, ...form })
  );
}

/** A text of 1 to `maxLength` characters that names something in one line; checked like any text. */
export function name(description: string, maxLength: number) {
  return text(description, { minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });
}

/** A whole number from `minimum` to `maximum`. */
export function count(description: string, { minimum, maximum } = { minimum: 0, maximum: countMax }) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, error).max(maximum, error).meta({ description });
}

/** A number from 0 to `maximum`, fractions included. */
export function amount(description: string, maximum: number) {
  const error = `must be a number from 0 to ${maximum}`;
  return z.number({ error }).min(0, error).max(maximum, error).meta({ description });
}

/** A finite number from 0 on. */
export function unboundedAmount(description: string) {
  const error = 'must be a finite number from 0 on';
  return z.preprocess(asDouble, z.number({ error }).min(0, error)).meta({ description });
}

/** A level of readiness or maturity. */
export function level(description: string) {
  const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;
  return z.enum(levels, { error: 'must be one of L0, L1, L2, L3, L4 and L5' }).meta({ description });
}

/** A list of at most `maximum` entries. */
export function list<Entry extends z.ZodType>(entry: Entry, maximum: number) {
  return z.array(entry, { error: 'must be an array' }).max(maximum, `must have at most ${maximum} entries`);
}

/** An object of which unknown members are dropped. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: 'must be an object' });
}
