import { prose } from '../answer-types.ts';
import type { Operation } from '../operation.ts';
import { problems } from '../problem.ts';

export const deleteItem: Operation = {
  method: 'DELETE',
  path: '/api/v1/items/{row_key}',
  tag: 'Items',
  summary: 'Remove an item',
  description:
    'Removes an item; repeated, it answers the same. It does not count against the limit of writes. What the key may not know of is answered exactly like what never was.',
  access: 'any key',
  pathParameter: {
    name: 'row_key',
    schema: prose('Identity of the item, percent-encoded; its slashes may be encoded or not.'),
    example: 'handbook/deploying.md',
  },
  answer: { description: 'The item is gone.' },
  problems: [problems.not_found],
};
