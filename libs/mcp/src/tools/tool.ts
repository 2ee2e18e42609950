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

/** A tool as the server offers it. */
export interface Tool {
  name: string;
  writes: boolean;
  /** Its entry in `tools/list`. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: { type: 'object'; [key: string]: unknown };
    outputSchema: { type: 'object'; [key: string]: unknown };
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
      inputSchema: schemaOf(input),
      outputSchema: schemaOf(output),
      // Nothing outside of the team's memory is read or changed.
      annotations: { ...annotations, openWorldHint: false },
    },
    async call(given, context) {
      const { text, data, links = [] } = await run(input.parse(given ?? {}), context);
      return { content: [{ type: 'text', text }, ...links], structuredContent: data };
    },
  };
}

/**
 * Returns a JSON schema without what a model does not need: every word of it is paid in each conversation.
 */
function schemaOf(schema: z.ZodObject): { type: 'object'; [key: string]: unknown } {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return withoutNoise(rest) as { type: 'object' };
}

/** Bounds that a model never meets, and patterns, which the server checks anyway. */
const noise = new Set(['additionalProperties', 'maxLength', 'minLength', 'pattern', 'default']);

function withoutNoise(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutNoise(element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !noise.has(key))
      .map(([key, inner]) => [key, withoutNoise(inner, key === 'properties')]),
  );
}
