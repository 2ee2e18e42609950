import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeReport, type Report } from './snapshot.ts';

/** The moment at which every made log is read. */
export const now = new Date('2026-11-20T12:00:00.000Z');

/** A home folder with logs that a test writes by hand. */
export interface LogHome {
  home: string;
  /** Writes a file of lines, each as JSON unless it is a text. */
  lines(path: string, ...lines: unknown[]): void;
  /** Writes a JSON file. */
  file(path: string, value: unknown): void;
  report(days?: number): Promise<Report>;
}

/** Makes an empty home folder, which is gone after the test. */
export function logHome(): LogHome {
  const home = mkdtempSync(join(tmpdir(), 'tms-report-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  return {
    home,
    lines: (path, ...lines) =>
      write(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')),
    file: (path, value) => write(path, JSON.stringify(value)),
    report: (days = 7) =>
      makeReport({ home, env: {}, platform: 'linux', signal: new AbortController().signal, now, days }),
  };
}
