import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { dataNotice } from '../framed-text.ts';
import { type Memory, MemoryError } from '../memory.ts';
import { describeArguments } from '../tool-error.ts';

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
  /** Checks the arguments and runs it. Throws MemoryError, `invalid_request` for arguments that do not fit. */
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
      inputSchema: inputSchemaOf(input),
      outputSchema: outputSchemaOf(output),
      annotations,
    },
    async call(given, context) {
      // What a tool does not take is refused, so that nobody believes that it had an effect.
      const checked = input.strict().safeParse(given ?? {});
      if (!checked.success) {
        const takes = `${name} takes ${Object.keys(input.shape).join(', ')}`;
        throw new MemoryError('invalid_request', `${describeArguments(checked.error)}; ${takes}.`);
      }
      const { text, data, links = [] } = await run(checked.data as z.output<Input>, context);
      const notice = writes ? {} : { notice: dataNotice };
      return { content: [{ type: 'text', text }, ...links], structuredContent: { ...notice, ...data } };
    },
  };
}

/** Every word of a schema is paid in each conversation, so it has what a model needs to call the tool, and no more. */
function inputSchemaOf(schema: z.ZodObject): ObjectSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return withoutNoise(rest) as ObjectSchema;
}

/** The members of an answer, without what they consist of and whether they are always there: the answer shows that. */
function outputSchemaOf(schema: z.ZodObject): ObjectSchema {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const members = Object.entries(properties).map(([name, member]) => {
    const { type, anyOf } = member as { type?: string; anyOf?: { type: string }[] };
    return [name, { type: type ?? anyOf?.map((each) => each.type) }];
  });
  return { type: 'object', properties: Object.fromEntries(members) };
}

const noise = new Set(['additionalProperties', 'minLength', 'pattern']);

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...others } = value as { anyOf?: { type: string }[] };
  const kept = Object.entries(others).filter(([key, inner]) => !noise.has(key) && !isNoBound(inner));
  return {
    ...(anyOf === undefined ? {} : { type: anyOf.map(({ type }) => type) }),
    ...Object.fromEntries(kept.map(([key, inner]) => [key, withoutNoise(inner)])),
  };
}

/** What every whole number is within. */
function isNoBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}
