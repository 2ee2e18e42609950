import { z } from 'zod';
import { uuid, whole } from './answer-types.ts';

/** The answer of POST /codebases. */
export const scanAnswer = z
  .object({
    status: z.literal('ok'),
    codebase_id: uuid('The codebase: the same for every scan of it.'),
    metrics_id: uuid('The scan: the same for every push of its commit.'),
    contributions: whole('Contributions now stored for this scan.'),
    issues: whole('Issues now stored for this scan.'),
  })
  .meta({ id: 'ScanAnswer' });

export type ScanAnswer = z.output<typeof scanAnswer>;
