import { z } from 'zod';

/**
 * JSON Schema of what clients write, for schemas that it cannot be made of: a
 * parameter is text that is read as something else, a custom check says nothing
 * about types. It takes the place of what would be generated; the description stays.
 */
export const wireForm = z.registry<Record<string, unknown>>();
