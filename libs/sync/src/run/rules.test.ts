import { describe, expect, it } from 'vitest';
import { frontmatterTier, type TierQuestion, tierToPush } from '../format/frontmatter-tier.ts';
import {
  conflictCopyName,
  isConflictCopy,
  isNeverSynced,
  nameRefusal,
  windowsFault,
} from '../format/row-names.ts';
import { mergeLines } from '../plan/merge-lines.ts';
import { removesTooMuch } from '../plan/plan.ts';

const version = {
  checksum: 'sha256:1',
  fileChecksum: 'sha256:1',
  tier: 'team' as const,
  updatedAt: '2026-11-21T06:27:00.123Z',
  updatedBy: 'ada',
};

describe('names', () => {
  it('the copy of another version tells who wrote it and when, fits into a name, and is known again', () => {
    expect(conflictCopyName('a/plan.md', version)).toBe('a/plan.conflict-ada-20261121T062700123Z.md');
    const odd = conflictCopyName(`${'ü'.repeat(125)}.markdown`, { ...version, updatedBy: '../Éve x' });
    expect(Buffer.byteLength(odd)).toBeLessThanOrEqual(255);
    for (const name of [odd, conflictCopyName('x.md', { ...version, updatedBy: '' })]) {
      expect(isConflictCopy(name), name).toBe(true);
      expect(name).not.toContain('/');
    }
    expect(isConflictCopy('notes on a.conflict-of-interest.md')).toBe(false);
  });

  it.for([
    'CON.md',
    'a/nul.md',
    'com1.x.md',
    'a:b.md',
    'a?.md',
    'trailing./x.md',
    'space /x.md',
    'x'.repeat(201),
  ])('Windows cannot hold %j, and other systems can', (rowKey) => {
    expect(windowsFault(rowKey)).toBeDefined();
    const name = `${rowKey}.md`;
    expect(nameRefusal(name, version, { platform: 'linux', allowInstructions: false })).toBeUndefined();
  });

  it('on Windows such an item is left out', () => {
    const refusal = nameRefusal('a/CON.md', version, { platform: 'win32', allowInstructions: false });
    expect(refusal?.code).toBe('name_not_possible');
  });

  it('a name that is too long for any file is left out', () => {
    const refusal = nameRefusal(`${'x'.repeat(300)}.md`, version, {
      platform: 'linux',
      allowInstructions: true,
    });
    expect(refusal?.code).toBe('name_too_long');
  });

  it.for(['.git', '.GIT', '.tms', '.TMS', '.g\u200bit', '\uff0egit'])('%j is never touched', (name) => {
    expect(isNeverSynced(name)).toBe(true);
  });
});

describe('merging lines', () => {
  it('joins edits of different lines, and refuses those of the same', () => {
    const base = 'a\nb\nc\nd\ne\n';
    expect(mergeLines(base, 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n')).toBe('A\nb\nc\nd\nE\n');
    expect(mergeLines(base, 'a\nb\nX\nd\ne\n', 'a\nb\nY\nd\ne\n')).toBeUndefined();
    expect(mergeLines(base, 'a\nb\nX\nd\ne\n', 'a\nb\nX\nd\ne\n')).toBe('a\nb\nX\nd\ne\n');
  });

  it('two texts that end without a line end do not run into each other', () => {
    const merged = mergeLines('a\nb\nc', 'a\nb\nc\nmine', 'X\nb\nc');
    expect(merged === undefined || merged === 'X\nb\nc\nmine').toBe(true);
  });

  it('texts that are too large and too alike are not compared for minutes', () => {
    const blank = '\n'.repeat(50_000);
    const begin = performance.now();
    expect(mergeLines(blank, `${blank}mine\n`, `theirs\n${blank}`)).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});

describe('the tier of a push', () => {
  const inStep = { checksum: 'sha256:1', fileChecksum: 'sha256:1', tier: 'team' as const };
  const external = { ...inStep, tier: 'external' as const };
  const question: TierQuestion = {
    asked: undefined,
    audience: undefined,
    origin: undefined,
    originAudience: undefined,
    keyTier: 'team',
    revives: false,
    tierIsNews: false,
  };
  const tier = (changes: Partial<TierQuestion>) => tierToPush({ ...question, ...changes });

  it('is what was asked for, else the audience, else that of the version, else that of the key', () => {
    expect(tier({}).tier).toBe('team');
    expect(tier({ keyTier: 'external' }).tier).toBe('external');
    expect(tier({ origin: external }).tier).toBe('external');
    expect(tier({ origin: external, audience: 'team' }).tier).toBe('team');
    expect(tier({ audience: 'external' }).tier).toBe('external');
    expect(tier({ audience: 'external', asked: 'team' }).tier).toBe('team');
    expect(tier({ origin: inStep, asked: 'external' }).tier).toBe('external');
  });

  it('never makes external by an old copy what others made internal', () => {
    const held = { tier: 'team', held: true };
    expect(tier({ origin: inStep, audience: 'external', originAudience: 'external' })).toEqual(held);
    expect(tier({ origin: inStep, audience: 'external', originAudience: 'unknown' })).toEqual(held);
    expect(tier({ origin: { ...inStep, narrowed: true }, audience: 'external' })).toEqual(held);
    expect(tier({ origin: inStep, asked: 'external', tierIsNews: true })).toEqual(held);
    expect(tier({ origin: external, audience: 'external', revives: true })).toEqual(held);
    expect(tier({ origin: inStep, audience: 'external' })).toEqual({ tier: 'external', held: false });
  });

  it('an audience that is no tier is refused', () => {
    expect(frontmatterTier({ Audience: 'Client' })).toBe('external');
    for (const audience of ['nobody', 1, ['team'], {}]) {
      expect(() => frontmatterTier({ audience })).toThrow(
        expect.objectContaining({ code: 'invalid_audience' }),
      );
    }
  });
});

it('more than a quarter of ten or more files is too much', () => {
  expect(removesTooMuch({ here: 9, there: 0, of: 9 })).toBe(false);
  expect(removesTooMuch({ here: 2, there: 0, of: 10 })).toBe(false);
  expect(removesTooMuch({ here: 0, there: 3, of: 10 })).toBe(true);
  expect(removesTooMuch({ here: 25, there: 25, of: 100 })).toBe(false);
  expect(removesTooMuch({ here: 26, there: 0, of: 100 })).toBe(true);
});
