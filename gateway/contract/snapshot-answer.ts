import { z } from 'zod';
import { uuid } from './answer-types.ts';

const axis = z.number().min(0).max(4);

/** The answer of POST /metrics. */
export const snapshotAnswer = z
  .object({
    status: z.literal('ok'),
    snapshot_id: uuid('The snapshot: the same for every push of its member, day and metric.'),
    member_id: uuid('The member whose snapshot it is.'),
    canonical: z
      .object({
        spine: z.enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5']),
        axes: z.object({
          verification: axis,
          context_hygiene: axis,
          autonomy: axis,
          learning: axis,
          cost_governance: axis,
        }),
      })
      .meta({ id: 'Placement', description: "The service's own placement, made from the signals." }),
  })
  .meta({ id: 'SnapshotAnswer' });
