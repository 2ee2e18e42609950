import { z } from 'zod';
import { prose, slug } from '../contract/answer-types.ts';

const project = z
  .object({
    slug: slug('Unique in the team.'),
    name: prose('For people.'),
    brain_only: z
      .boolean()
      .meta({ description: 'True while no item names it, so it exists only on the service side.' }),
  })
  .meta({ id: 'Project' });

/** The answer of GET /projects. */
export const projectList = z
  .object({ projects: z.array(project).meta({ description: 'Sorted by slug.' }) })
  .meta({ id: 'ProjectList' });

export type ProjectList = z.output<typeof projectList>;
