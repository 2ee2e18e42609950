import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import { isCalendarDay, isSlug, slugRule } from '@teammemory/vocabulary/formats.ts';
import {
  comparableOwner,
  type TaskStatus,
  taskOwnerPattern,
  taskOwnerRule,
} from '@teammemory/vocabulary/task.ts';
import { type RowFilter, textMember } from '../feed/filtered-page.ts';

/** Which tasks are wanted: those that fit all that is set. */
export interface TaskFilter {
  status?: TaskStatus | undefined;
  /** Without the @, in any case. */
  owner?: string | undefined;
  /** A slug. */
  project?: string | undefined;
  /** YYYY-MM-DD: due on this day or before it. */
  dueBy?: string | undefined;
}

/**
 * Returns a filter of the rows of tasks; undefined if all are wanted.
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong field.
 */
export function taskRowFilter(wanted: TaskFilter): RowFilter | undefined {
  checkFilter(wanted);
  const { status, project, dueBy } = wanted;
  const owner = wanted.owner === undefined ? undefined : comparableOwner(wanted.owner);
  const name = JSON.stringify([status, owner, project, dueBy]);
  if ([status, owner, project, dueBy].every((field) => field === undefined)) return undefined;
  return {
    name,
    accepts(json) {
      if (status !== undefined && textMember(json, 'status') !== status) return false;
      if (project !== undefined && textMember(json, 'project') !== project) return false;
      if (owner !== undefined && comparableOwner(textMember(json, 'owner') ?? '') !== owner) return false;
      return dueBy === undefined || (textMember(json, 'due') ?? '9999-12-32') <= dueBy;
    },
  };
}

function checkFilter({ owner, project, dueBy }: TaskFilter): void {
  const violations: Violation[] = [];
  const refuse = (name: string, detail: string) => violations.push({ pointer: `/${name}`, detail });
  if (owner !== undefined && !taskOwnerPattern.test(owner)) refuse('owner', taskOwnerRule);
  if (project !== undefined && !isSlug(project)) refuse('project', slugRule);
  if (dueBy !== undefined && !isCalendarDay(dueBy)) {
    refuse('due_by', 'must be a day that exists, as YYYY-MM-DD');
  }
  if (violations.length > 0)
    throw new AppError('invalid_request', 'The filter breaks a rule.', { violations });
}
