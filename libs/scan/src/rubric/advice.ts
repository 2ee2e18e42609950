import { type Pillar, pillars } from './check.ts';
import { type Finding, type RepositoryScan, rubric } from './scan-repository.ts';

/** What to do about a check that failed. */
export interface Advice {
  check: string;
  title: string;
  fix: string;
  /** Percentage points that it would bring, one decimal. */
  gain: number;
  /** Where it failed, the first of them in their order. */
  failures: Finding[];
}

/** Returns what to do next, the most gained first. */
export function adviceFor({ findings }: RepositoryScan): Advice[] {
  const possible = findings.reduce((sum, { points }) => sum + points, 0);
  return rubric
    .map(({ id, title, fix }) => {
      const failures = findings.filter(({ check, status }) => check === id && status === 'fail');
      const points = failures.reduce((sum, finding) => sum + finding.points, 0);
      return { check: id, title, fix, failures, gain: Math.round((1000 * points) / possible) / 10 };
    })
    .filter(({ failures }) => failures.length > 0)
    .sort((one, other) => other.gain - one.gain);
}

/** Returns the share that each pillar has earned, 0 to 1; undefined for one to which nothing applies. */
export function sharesOf({ findings }: RepositoryScan): [pillar: Pillar, share: number | undefined][] {
  return (Object.keys(pillars) as Pillar[]).map((pillar) => {
    const own = findings.filter((finding) => finding.pillar === pillar && finding.points > 0);
    const sum = (some: readonly Finding[]) => some.reduce((total, { points }) => total + points, 0);
    const earned = sum(own.filter(({ status }) => status === 'pass'));
    return [pillar, own.length === 0 ? undefined : earned / sum(own)];
  });
}
