import type { Access } from '@teammemory/vocabulary/access.ts';
import { askTool } from './ask.ts';
import { changesTool } from './changes.ts';
import { fetchTool } from './fetch.ts';
import { pushTool } from './push.ts';
import { searchTool } from './search.ts';
import { tasksTool } from './tasks.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const allTools: readonly Tool[] = [searchTool, fetchTool, askTool, changesTool, tasksTool, pushTool];

const readingTools = allTools.filter(({ writes }) => !writes);

/** Returns the tools that a key of an access is offered. */
export function toolsFor(access: Access): readonly Tool[] {
  return access === 'read' ? readingTools : allTools;
}
