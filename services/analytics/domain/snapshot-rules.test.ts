import type { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { snapshotDraft } from './domain.fixture.ts';
import { checkedProvisional } from './snapshot-rules.ts';
import type { SnapshotDraft } from './snapshots.ts';

const today = '2026-11-20';

/** The pointers of the error for a snapshot, or none. */
function faultsOf(changes: Partial<SnapshotDraft>): string[] {
  try {
    checkedProvisional(snapshotDraft(changes), today);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as AppError).violations.map(({ pointer }) => pointer);
  }
}

test.each<[string, Partial<SnapshotDraft>]>([
  ['no signals', { signals: {} }],
  ['the ends of a ratio', { signals: { error_rate: 0, cache_hit_rate: 1 } }],
  ['a huge amount', { signals: { tokens_per_task: Number.MAX_VALUE } }],
  ['the shortest window', { windowDays: 1 }],
  ['the longest window', { windowDays: 366 }],
  ['no work', { sessions: 0, tasks: 0 }],
  ['the largest counts', { sessions: 2 ** 31 - 1, tasks: 2 ** 31 - 1 }],
  ['a leap day', { date: '2024-02-29' }],
  ['tomorrow, which it is elsewhere', { date: '2026-11-21' }],
  ['the longest handle', { member: 'a'.repeat(64) }],
  ['a placement without a level', { provisional: { spine: '', axes: {} } }],
])('%s is accepted', (_name, changes) => {
  expect(faultsOf(changes)).toEqual([]);
});

test.each<[string, Partial<SnapshotDraft>, string]>([
  ['another metric', { metric: 'aem-team' }, '/metric'],
  ['no metric', { metric: '' }, '/metric'],
  ['a day that does not exist', { date: '2026-02-29' }, '/date'],
  ['the day after tomorrow', { date: '2026-11-22' }, '/date'],
  ['a time', { date: '2026-11-20T00:00:00Z' }, '/date'],
  ['no window', { windowDays: 0 }, '/window_days'],
  ['a window of more than a leap year', { windowDays: 367 }, '/window_days'],
  ['half a day', { windowDays: 1.5 }, '/window_days'],
  ['negative sessions', { sessions: -1 }, '/sessions'],
  ['too many tasks', { tasks: 2 ** 31 }, '/tasks'],
  ['a ratio above 1', { signals: { delegation_ratio: 1.000001 } }, '/signals/delegation_ratio'],
  ['a negative ratio', { signals: { subagent_usage: -0.000001 } }, '/signals/subagent_usage'],
  ['NaN as a ratio', { signals: { verify_tool_rate: Number.NaN } }, '/signals/verify_tool_rate'],
  ['a negative amount', { signals: { cost_per_task: -1 } }, '/signals/cost_per_task'],
  ['NaN as an amount', { signals: { tool_diversity: Number.NaN } }, '/signals/tool_diversity'],
  ['infinity', { signals: { tokens_per_task: Number.POSITIVE_INFINITY } }, '/signals/tokens_per_task'],
  ['a handle too long', { member: 'a'.repeat(65) }, '/member'],
  ['a level that is text', { provisional: { spine: 'he said', axes: {} } }, '/provisional/spine'],
  ['a negative axis', { provisional: { spine: 'L1', axes: { autonomy: -1 } } }, '/provisional/axes/autonomy'],
])('%s is refused with its place', (_name, changes, pointer) => {
  expect(faultsOf(changes)).toEqual([pointer]);
});

test("of a client's own placement only what we know is kept", () => {
  const axes = { autonomy: 3, hearsay: 1 };
  expect(checkedProvisional(snapshotDraft({ provisional: { spine: 'L3', axes } }), today)).toEqual({
    spine: 'L3',
    axes: { autonomy: 3 },
  });
  expect(checkedProvisional(snapshotDraft(), today)).toBeUndefined();
});

test('every place that is wrong is named', () => {
  const wrong = { metric: '', date: '', signals: { error_rate: 2, cost_per_task: -1 } };
  expect(faultsOf(wrong)).toEqual(['/metric', '/date', '/signals/error_rate', '/signals/cost_per_task']);
});
