import { isCalendarDay, slugPattern, slugRule } from '@teammemory/vocabulary/formats.ts';
import { taskOwnerPattern, taskOwnerRule, taskStatuses } from '@teammemory/vocabulary/task.ts';
import { z } from 'zod';
import { day, instant, prose, slug, uuid, visibleTo, whole } from '../contract/answer-types.ts';
import { deletedRow, feedQuery, pageAnswer, pageParameters } from '../feed/contract.ts';

const once = { error: 'must be given once' };

/** The parameters of GET /tasks. */
export const taskListParameters = pageParameters.extend({
  status: z
    .enum(taskStatuses, { error: 'must be open, done or cancelled' })
    .meta({ description: 'Only tasks with this status.' })
    .optional(),
  owner: z
    .string(once)
    .regex(taskOwnerPattern, taskOwnerRule)
    .meta({ description: 'Only tasks of this owner: the name without its @, in any case.' })
    .optional(),
  project: z
    .string(once)
    .regex(slugPattern, slugRule)
    .meta({ description: 'Only tasks of this project.' })
    .optional(),
  due_by: z
    .string(once)
    .refine(isCalendarDay, 'must be a day that exists, as YYYY-MM-DD')
    .meta({ description: 'Only tasks that are due on this day or before.', format: 'date' })
    .optional(),
});

/** The query of GET /tasks. */
export const taskListQuery = feedQuery(taskListParameters).superRefine((query, context) => {
  if (!query.include_deleted || !isFiltered(query)) return;
  const message = 'must not be true with status, owner, project or due_by';
  context.addIssue({ code: 'custom', path: ['include_deleted'], message });
});

export type TaskListParameters = z.output<typeof taskListParameters>;

/** Whether only some of the tasks are wanted. */
function isFiltered({ status, owner, project, due_by }: TaskListParameters): boolean {
  return [status, owner, project, due_by].some((parameter) => parameter !== undefined);
}

/** The identity of a task. */
export const taskId = uuid('It stays the same when the line of the task moves or its box is ticked.');

const taskSource = z
  .object({
    row_key: prose('The log that contains it; `decisions/<decision_id>` for the body of a decision.'),
    line: whole('Line in that text, from 1; of a decision in its body.', 1),
    heading: prose('The nearest heading above it.').nullable(),
    decision_id: uuid('The decision whose body contains it.').optional(),
  })
  .meta({ id: 'TaskSource', description: 'Where a task was found.' });

/** A task made from a log (docs/contract.md, "Tasks"). */
export const taskRow = z
  .object({
    task_id: taskId,
    title: prose('The text of the entry without its attributes.'),
    status: z.enum(taskStatuses).meta({ description: 'From its box: [ ], [x] or [-].' }),
    owner: prose('Whose task it is, from @name.').nullable(),
    due: day('From due:YYYY-MM-DD.').nullable(),
    project: slug('From +project, else the project of the log.').nullable(),
    tags: z.array(z.string()).meta({ description: 'From #tag, without the sign.' }),
    tier: visibleTo('Who may see it: the tier of its source.'),
    source: taskSource,
    updated_at: instant("When it changed; strictly increasing within a team's list."),
  })
  .meta({ id: 'Task', description: 'An entry of a task list in a log or a decision.' });

/** The answer of GET /tasks. */
export const taskPage = pageAnswer(
  'TaskPage',
  'tasks',
  taskRow,
  deletedRow('DeletedTask', { task_id: taskId }),
);
