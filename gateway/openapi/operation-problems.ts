import type { Operation } from '../contract/operation.ts';
import { type ProblemSchema, problems } from '../contract/problem.ts';

/** Every problem that an operation can answer, by status in ascending order. */
export function operationProblems(operation: Operation): [status: number, problems: ProblemSchema[]][] {
  const all = [...impliedProblems(operation), ...operation.problems];
  return [...Map.groupBy(all, ({ shape }) => shape.status.value)].sort(([a], [b]) => a - b);
}

/** What follows from the key, the body, the parameters and the limit of an operation. */
function impliedProblems({ access, body, query, quota }: Operation): ProblemSchema[] {
  const implied: ProblemSchema[] = [problems.method_not_allowed];
  if (access !== 'public') {
    implied.push(problems.invalid_key, problems.team_forbidden, problems.internal, problems.unavailable);
    // Where no body belongs, one that comes all the same can be too large or of the wrong form, too.
    implied.push(problems.payload_too_large, problems.unsupported_media_type);
  }
  if (access === 'team key') implied.push(problems.forbidden_tier);
  if (body !== undefined) implied.push(problems.invalid_json);
  if (body !== undefined || query !== undefined) implied.push(problems.invalid_request);
  if (quota !== undefined) implied.push(problems.rate_limited);
  return implied;
}
