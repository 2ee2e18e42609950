import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Memory } from '../memory.ts';

/** What a tool works with. */
export interface ToolContext {
  memory: Memory;
  /** Aborts when the caller cancels or goes away. */
  signal: AbortSignal;
  /** Tells the caller how far the work is; does nothing if it did not ask for that. */
  progress(done: number, message: string): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What a tool gives back: text for a model, and the same as data. */
export interface ToolOutput<Data> {
  text: string;
  data: Data;
  /** Items that the result rests on. */
  links?: ContentBlock[];
}

/** A tool as it is declared. */
export interface ToolDeclaration<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** For the model: when to use it, and what to know before. */
  description: string;
  input: Input;
  output: Output;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  /** Whether it changes the memory: such tools are offered only to keys that may write. */
  writes: boolean;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput<z.input<Output>>>;
}

/** The JSON schema of an object. */
export interface ObjectSchema {
  type: 'object';
  [key: string]: unknown;
}

/** A tool as the server offers it. */
export interface Tool {
  name: string;
  writes: boolean;
  /** Its entry in `tools/list`. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: ObjectSchema;
    outputSchema: ObjectSchema;
    annotations: object;
  };
  /** Checks the arguments and runs it. Throws ZodError for arguments that do not fit. */
  call(input: unknown, context: ToolContext): Promise<CallToolResult>;
}

/** Makes a tool of its declaration. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ToolDeclaration<Input, Output>,
): Tool {
  const { name, title, description, input, output, annotations, writes, run } = declaration;
  return {
    name,
    writes,
    listed: {
      name,
      title,
      description,
      inputSchema: { ...schemaOf(input), ...requiredOf(input) },
      outputSchema: schemaOf(output),
      annotations,
    },
    async call(given, context) {
      const { text, data, links = [] } = await run(input.parse(given ?? {}), context);
      return { content: [{ type: 'text', text }, ...links], structuredContent: data };
    },
  };
}

/**
 * Returns a JSON schema without what a model does not need, because every word of it is paid in each conversation: bounds
 * and patterns, which the server checks anyway, and which members of an answer are always there.
 */
function schemaOf(schema: z.ZodObject): ObjectSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return withoutNoise(rest) as ObjectSchema;
}

/** Which arguments there must be: a model has to know that, but not what every answer has. */
function requiredOf(schema: z.ZodObject): { required?: string[] } {
  const { required } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return required === undefined ? {} : { required };
}

const noise = new Set([
  ...['additionalProperties', 'required', 'default'],
  ...['maxLength', 'minLength', 'pattern', 'minimum', 'maximum'],
]);

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, properties, ...others } = value as { anyOf?: { type: string }[]; properties?: object };
  const kept = Object.entries(others).filter(([key]) => !noise.has(key));
  return {
    ...Object.fromEntries(kept.map(([key, inner]) => [key, withoutNoise(inner)])),
    ...(anyOf === undefined ? {} : { type: anyOf.map(({ type }) => type) }),
    ...(properties === undefined || Object.keys(properties).length === 0
      ? {}
      : { properties: mapValues(properties, withoutNoise) }),
  };
}

function mapValues(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
