import { prose } from '../answer-types.ts';
import type { Operation } from '../operation.ts';
import { problems } from '../problem.ts';

export const showProblem: Operation = {
  method: 'GET',
  path: '/problems/{code}',
  tag: 'State and documentation',
  summary: 'What an error code means',
  description: 'A page for people. The member `type` of every problem leads here.',
  access: 'public',
  pathParameter: { name: 'code', schema: prose('A code of a problem.'), example: 'invalid_key' },
  answer: {
    description: 'The page.',
    headers: ['TextContentSecurityPolicy', 'ReferrerPolicy', 'PublicCacheControl'],
    content: { mediaType: 'text/html', example: '<!doctype html><html lang="en">…</html>' },
  },
  problems: [problems.not_found],
};
