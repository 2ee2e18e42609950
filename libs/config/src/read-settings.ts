import { readFileSync } from 'node:fs';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { z } from 'zod';

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads one process's settings from the environment, once. Every key of
 * `schema` is the name of a variable; an empty value counts as unset. A setting
 * `X` that is unset but has `X_FILE` is read from that file, without its last
 * line break, so that secrets need not stand in the environment.
 *
 * @throws AppError `invalid_request` with one sentence that names every bad
 *   setting and what it must be, never its value: it may be a secret.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, settingText(name, environment)]),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new AppError('invalid_request', `Bad setting: ${problems.join('; ')}.`);
}

function settingText(name: string, environment: Environment): string | undefined {
  const direct = environment[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new AppError('invalid_request', `Bad setting: the file named by ${name}_FILE cannot be read.`, {
      cause,
    });
  }
}
