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

/** Returns the path of the file that a setting is read from; undefined if its value is in the environment, or unset. */
export function settingFile(name: string, environment: Environment): string | undefined {
  if (isSet(environment[name])) return undefined;
  const file = environment[`${name}_FILE`];
  return isSet(file) ? file : undefined;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** Returns the setting in a file's text: all of it without its last line break. */
export function settingInFile(fileText: string): string {
  return fileText.replace(/\r?\n$/, '');
}

function settingText(name: string, environment: Environment): string | undefined {
  const direct = environment[name];
  if (isSet(direct)) return direct;
  const file = settingFile(name, environment);
  if (file === undefined) return undefined;
  try {
    return settingInFile(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', `Bad setting: the file named by ${name}_FILE cannot be read.`, {
      cause,
    });
  }
}
