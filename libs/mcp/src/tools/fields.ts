import { createHash } from 'node:crypto';
import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { z } from 'zod';

// Arguments that several tools take. The service checks them again; these bounds keep what no tool can use out of it.

/** A question or a query: 1 to 4,000 characters that are not all white space. */
export const question = z
  .string()
  .refine((text) => text.trim() !== '', 'It must not be empty.')
  .refine(
    (text) => hasAtMostCharacters(text, maxQuestionCharacters),
    `It may have ${maxQuestionCharacters} characters at most.`,
  )
  .meta({ maxLength: maxQuestionCharacters });

/** Returns the checksum of a text as items have them. */
export function checksumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A row_key, or the id of a decision or task. */
export const id = z.string().min(1).max(maxRowKeyBytes);

/** Where an earlier answer ended. */
export const cursor = z.string().min(1).max(2_000);

/** What a person, a project or a heading is called. */
export const name = z.string().min(1).max(500);

/** An object with any members. Taken as it is, because what copies it could lose a member called `__proto__`. */
export const object = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'It must be an object.',
  )
  .meta({ type: 'object' });
