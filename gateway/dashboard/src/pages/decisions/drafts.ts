import { session } from '../../service/session.ts';
import type { Decision, DecisionFields } from './decision.ts';

/** A text that was typed and is not stored yet. */
export interface Draft {
  /** The version that it was made from; undefined for a new decision. */
  base: Decision | undefined;
  fields: DecisionFields;
}

/**
 * Drafts of this page, which outlast going to another page of the dashboard. They are never written to the disk: who uses
 * this browser next finds nothing.
 */
const drafts = new Map<string, Draft>();

/** Whoever leaves the dashboard, or reloads it, with a draft is asked first. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** A draft is of one member of one team. */
function nameOf(decisionId: string): string {
  const { team, member } = session.value ?? {};
  return [team, member, decisionId].join('\n');
}

/** The draft of a decision, or of a new one (`new`). */
export function draftOf(decisionId: string): Draft | undefined {
  return drafts.get(nameOf(decisionId));
}

/** Keeps a draft until it is stored or discarded. */
export function keepDraft(decisionId: string, draft: Draft): void {
  if (drafts.size === 0) window.addEventListener('beforeunload', warn);
  drafts.set(nameOf(decisionId), draft);
}

/** Forgets a draft. */
export function dropDraft(decisionId: string): void {
  drafts.delete(nameOf(decisionId));
  if (drafts.size === 0) window.removeEventListener('beforeunload', warn);
}

/** Whether two drafts say the same. */
export function isSameText(one: DecisionFields, other: DecisionFields): boolean {
  return (Object.keys(one) as (keyof DecisionFields)[]).every((field) => one[field] === other[field]);
}
