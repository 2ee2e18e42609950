import { z } from 'zod';
import { day, instant, prose, slug, uuid, visibleTo, whole } from '../contract/answer-types.ts';
import { deletedRow, pageAnswer } from '../feed/contract.ts';

const taskId = uuid('Kept while the line of the task moves or its box is ticked.');

const taskSource = z
  .object({
    row_key: prose('The log that it stands in; null for the body of a decision.').nullable(),
    line: whole('Line in that text, from 1.', 1),
    heading: prose('The nearest heading above it.').nullable(),
    decision_id: uuid('The decision in whose body it stands.').optional(),
  })
  .meta({ id: 'TaskSource', description: 'Where a task was found.' });

/** A task made from a log (decisions §5). */
const taskRow = z
  .object({
    task_id: taskId,
    title: prose('Text of the entry without its attributes.'),
    status: z.enum(['open', 'done', 'cancelled']).meta({ description: 'By its box: [ ], [x], [-].' }),
    owner: prose('Who does it, from @name.').nullable(),
    due: day('From due:YYYY-MM-DD.').nullable(),
    project: slug('From +project, else from the log.').nullable(),
    tags: z.array(z.string()).meta({ description: 'From #tag, without the sign.' }),
    tier: visibleTo('Who may see it: that of its source.'),
    source: taskSource,
    updated_at: instant("When it changed; strictly increasing within a team's list."),
  })
  .meta({ id: 'Task', description: 'A task list entry of a log or of a decision.' });

/** The answer of GET /tasks. */
export const taskPage = pageAnswer(
  'TaskPage',
  'tasks',
  taskRow,
  deletedRow('DeletedTask', { task_id: taskId }),
);
