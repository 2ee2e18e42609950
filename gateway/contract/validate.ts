import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import type { z } from 'zod';
import { maxViolations } from '../http-error.ts';

/**
 * Checks a body or the parameters of a request.
 * @throws AppError `invalid_request` with a JSON Pointer to each fault.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw mismatch(violationsIn(result.error));
}

/** A list, the schema of its rows and its position in the request. */
export interface Rows<Schema extends z.ZodType> {
  schema: Schema;
  values: readonly unknown[];
  /** JSON Pointer to the list. */
  pointer: string;
}

/**
 * Checks the rows of a long list one by one, a few per turn of the event loop, and stops at the hundredth fault.
 * @throws AppError `invalid_request` like `validate`.
 */
export async function validateRows<Schema extends z.ZodType>({
  schema,
  values,
  pointer,
}: Rows<Schema>): Promise<z.output<Schema>[]> {
  const rows: z.output<Schema>[] = [];
  const violations: Violation[] = [];
  const nextTurn = eventLoopTurns();
  for (const [index, value] of values.entries()) {
    await nextTurn();
    const result = schema.safeParse(value);
    if (result.success) rows.push(result.data);
    else violations.push(...violationsIn(result.error, `${pointer}/${index}`));
    if (violations.length >= maxViolations) break;
  }
  if (violations.length > 0) throw mismatch(violations);
  return rows;
}

function violationsIn({ issues }: z.ZodError, pointer = ''): Violation[] {
  return issues
    .slice(0, maxViolations)
    .map(({ path, message }) => ({ pointer: `${pointer}${pointerTo(path)}`, detail: message }));
}

function mismatch(violations: Violation[]): AppError {
  return new AppError('invalid_request', 'The request does not match its schema.', { violations });
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
