/**
 * Which end-to-end tests run over separate processes. Files in `test/` are named as they begin, without `.test.ts`.
 */
import { matchesGlob } from 'node:path';

/** Files that say nothing about separate processes, by reason. `npm test` runs them. */
export const leftOutOfSeparateRun: Readonly<Record<string, readonly string[]>> = {
  'it reads files and starts nothing': [
    'architecture',
    'deploy',
    'docs',
    'installation',
    'support/openapi/conformance',
    'vulnerabilities',
  ],
  'it measures what one process holds, or floods more than a machine with eight of them and a slow database bears':
    [
      'attacks/answer-markup',
      'attacks/decompression-bombs',
      'attacks/former-administrators',
      'attacks/frame-floods',
      'attacks/half-open-http-peers',
      'attacks/half-open-peers',
      'attacks/heavy-json',
      'attacks/hidden-rows',
      'attacks/large-pushes',
      'attacks/many-agents',
      'attacks/many-erasures',
      'attacks/mcp-messages',
      'attacks/oidc-doors',
      'attacks/poison-markdown',
      'attacks/project-flood',
      'attacks/pushed-embeddings',
      'attacks/question-storm',
      'attacks/sign-in-doors',
      'attacks/slow-bodies',
      'attacks/stream-resets',
      'attacks/unique-words',
      'attacks/unread-answers',
      'attacks/unread-pages',
      'walks',
    ],
  'its results do not depend on how many processes there are': [
    'attacks/empty-elements',
    'attacks/obeyed-files',
    'attacks/prepared-backup',
    'attacks/rollup-differencing',
    'dashboard/!(smoke)',
    'field-bounds',
    'malformed-bodies',
    'malformed-parameters',
    'mcp-agent-loop',
    'mcp-clients',
    'mcp-conformance',
    'mcp-hostile-items',
    'order-of-checks',
    'packages',
    'rpc-examples',
    'score-limits',
    'sync/!(three-folders|watch)',
    'team-export',
    'written-answers',
    'written-answers-injection',
  ],
  'it is about the program in one process, its directory or its signals': [
    'access-log',
    'attacks/prepared-data-directory',
    'backup',
    'compression',
    'durability',
    'embedding-faults',
    'embeddings',
    'first-start',
    'foreign-search-data',
    'full-disk',
    'image-programs',
    'injected-faults',
    'memory-restart',
    'metrics',
    'observability',
    'redis-limits',
    'shutdown',
    'startup',
    'supervisor',
    'statuses',
    'upgrade',
  ],
};

/** Whether an end-to-end test, by the path of its file in `test/`, runs over separate processes as well. */
export function runsOverSeparateProcesses(file: string): boolean {
  const patterns = Object.values(leftOutOfSeparateRun).flat();
  return !patterns.some((pattern) => matchesGlob(file, `${pattern}.test.ts`));
}
