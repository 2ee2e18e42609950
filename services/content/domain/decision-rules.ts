import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import { isCalendarDay } from '@teammemory/vocabulary/calendar-day.ts';
import { hasAtMostCharacters, maxContentBytes, maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { isSlug } from '@teammemory/vocabulary/slug.ts';
import type { ItemRefusal } from './item.ts';
import type { DecisionFields } from './team-decision.ts';

const titleForm = /^[^\p{Cc}\p{Cs}]+$/u;

/**
 * Checks what its writer says about a decision.
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong field.
 */
export function checkDecision(fields: DecisionFields): void {
  const violations: Violation[] = [];
  const refuse = (name: string, detail: string) => violations.push({ pointer: `/${name}`, detail });
  if (!isTitle(fields.title)) {
    refuse('title', `must be 1 to ${maxTitleCharacters} characters without control characters`);
  }
  if (!fields.body.isWellFormed() || Buffer.byteLength(fields.body) > maxContentBytes) {
    refuse('body', `must be well-formed Unicode of at most ${maxContentBytes} bytes`);
  }
  if (fields.project !== null && !isSlug(fields.project)) refuse('project', 'must be a slug');
  if (fields.decidedOn !== null && !isCalendarDay(fields.decidedOn)) {
    refuse('decided_on', 'must be a day that exists, as YYYY-MM-DD');
  }
  if (violations.length > 0)
    throw new AppError('invalid_request', 'The decision breaks a rule.', { violations });
}

function isTitle(title: string): boolean {
  return hasAtMostCharacters(title, maxTitleCharacters) && title.trim() !== '' && titleForm.test(title);
}

/** The error for a decision that has no room. */
export function decisionRefused({ detail }: ItemRefusal): AppError {
  return new AppError(
    'quota_exceeded',
    `The decision is not stored. ${detail} Remove some that nobody needs.`,
  );
}
