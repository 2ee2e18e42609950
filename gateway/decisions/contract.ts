import { z } from 'zod';
import { day, instant, prose, slug, uuid, visibleTo } from '../contract/answer-types.ts';
import { deletedRow, pageAnswer } from '../feed/contract.ts';

/** The identity of a decision. */
export const decisionId = uuid('It identifies the decision.');

/** A decision of a team, made on the service side (docs/contract.md, "Pull"). */
export const decisionRow = z
  .object({
    decision_id: decisionId,
    title: prose('1 to 300 characters.'),
    body: prose('Markdown.'),
    status: z.enum(['proposed', 'accepted', 'superseded', 'rejected']),
    audience: visibleTo('Who may see it.'),
    project: slug('The project that it belongs to.').nullable(),
    decided_on: day('When it was taken.').nullable(),
    updated_at: instant("When it changed; strictly increasing within a team's list."),
    updated_by: prose('Who changed it.'),
  })
  .meta({ id: 'Decision', description: 'A decision that was created or edited on the service side.' });

/** The answer of GET /decisions. */
export const decisionPage = pageAnswer(
  'DecisionPage',
  'decisions',
  decisionRow,
  deletedRow('DeletedDecision', { decision_id: decisionId }),
);
