import { z } from 'zod';

/** All of a team's projects, by slug. Unknown fields are kept. */
export const projectListSchema = z.looseObject({
  projects: z.array(
    z.looseObject({
      slug: z.string(),
      name: z.string(),
      /** Created on the service side, named by no item. */
      brain_only: z.boolean(),
    }),
  ),
});

export type ProjectList = z.infer<typeof projectListSchema>;
