import { errorCodes } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** The tools by their names, before the packages that define them are loaded; a test compares the two. */
export const toolNames = ['search', 'fetch', 'ask', 'changes', 'tasks', 'push'];

const outcomes: ReadonlySet<string> = new Set(['done', ...errorCodes]);

/**
 * Returns the function that counts a call of a tool by how it ended: `done`, or the code of its refusal. What is neither
 * a tool nor an outcome is not counted under its own name, so that series stay few.
 */
export function countToolCalls(metrics: Metrics): (tool: string, outcome: string) => void {
  const raise = new Map<string, (by?: number) => void>();
  const counterOf = (tool: string, outcome: string) =>
    raise.getOrInsertComputed(`${tool} ${outcome}`, () =>
      metrics.counter('teammemory_mcp_tool_calls_total', { tool, outcome }),
    );
  for (const tool of toolNames) counterOf(tool, 'done');
  return (tool, outcome) => {
    if (!toolNames.includes(tool)) return;
    counterOf(tool, outcomes.has(outcome) ? outcome : 'internal')();
  };
}
