import { isCalendarDay } from '@teammemory/vocabulary/formats.ts';
import { addDays } from './calendar.ts';
import { createFaults, type Faults, isAmount, isCount, isName, maxCount } from './request-rules.ts';
import { amountNames, axisNames, ratioNames, type Signals } from './rubric.ts';
import { isLevel } from './scored-rows.ts';
import { individualMetric, type Provisional, type SnapshotDraft } from './snapshots.ts';

const maxMemberCharacters = 64;
const maxWindowDays = 366;
/** Days that a date may be ahead of `today`: clients stand in other time zones. */
const maxDaysAhead = 1;

/**
 * Checks a snapshot against every rule that needs no look-up (docs/contract.md, "Metrics");
 * `today` is the service's day, UTC.
 * Returns the client's own placement without the axes that we do not know.
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong place.
 */
export function checkedProvisional(draft: SnapshotDraft, today: string): Provisional | undefined {
  const faults = createFaults();
  checkNames(draft, today, faults);
  checkCounts(draft, faults);
  checkSignals(draft.signals, faults);
  const provisional = draft.provisional && knownPart(draft.provisional, faults);
  faults.throwIfAny();
  return provisional;
}

function checkNames({ member, metric, date }: SnapshotDraft, today: string, faults: Faults): void {
  if (member !== '' && !isName(member, maxMemberCharacters)) {
    faults.add('/member', `must be 1 to ${maxMemberCharacters} characters without control characters`);
  }
  if (metric !== individualMetric) faults.add('/metric', `must be ${individualMetric}`);
  if (!isCalendarDay(date)) faults.add('/date', 'must be a day of the calendar, YYYY-MM-DD');
  // Days are written so that their order is that of their text.
  else if (date > addDays(today, maxDaysAhead)) faults.add('/date', 'must not be more than one day ahead');
}

function checkCounts({ windowDays, sessions, tasks }: SnapshotDraft, faults: Faults): void {
  if (!isCount(windowDays) || windowDays < 1 || windowDays > maxWindowDays) {
    faults.add('/window_days', `must be a whole number from 1 to ${maxWindowDays}`);
  }
  for (const [name, count] of Object.entries({ sessions, tasks })) {
    if (!isCount(count)) faults.add(`/${name}`, `must be a whole number from 0 to ${maxCount}`);
  }
}

function checkSignals(signals: Signals, faults: Faults): void {
  for (const name of ratioNames) {
    if (!isAmount(signals[name] ?? 0, 1)) faults.add(`/signals/${name}`, 'must be a number from 0 to 1');
  }
  for (const name of amountNames) {
    if (!isAmount(signals[name] ?? 0)) faults.add(`/signals/${name}`, 'must be a finite number from 0 on');
  }
}

function knownPart(given: NonNullable<SnapshotDraft['provisional']>, faults: Faults): Provisional {
  const { spine } = given;
  if (spine !== '' && !isLevel(spine)) {
    // Free text here would be a door for what people said in their sessions.
    faults.add('/provisional/spine', 'must be one of L0, L1, L2, L3, L4 and L5');
  }
  const axes: Provisional['axes'] = {};
  for (const name of axisNames) {
    const value = given.axes[name];
    if (value === undefined) continue;
    axes[name] = value;
    if (!isAmount(value)) faults.add(`/provisional/axes/${name}`, 'must be a finite number from 0 on');
  }
  return { spine: isLevel(spine) ? spine : undefined, axes };
}
