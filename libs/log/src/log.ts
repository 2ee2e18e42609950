import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import { loggedError } from './logged-error.ts';

/** Identifies this process among the replicas of its part. In Kubernetes the host name is the pod's. */
export const processInstance = `${hostname()}:${process.pid}`;

/** Structured log, one JSON object a line. Never given content, keys or tokens. */
export type Log = Logger;

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * Creates the log of a process. Lines go to standard error, so that standard
 * output stays for people; fields that could hold a credential are removed, and of
 * an error (`err`) only what quotes nothing is written.
 */
export function createLog(options: { level: LogLevel; part: string }): Log {
  return pino(
    {
      level: options.level,
      base: { part: options.part, instance: processInstance },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (thrown: unknown) => loggedError(thrown) },
      redact: { paths: ['authorization', '*.authorization', 'key', 'token', 'secret'], remove: true },
    },
    // Synchronous: the last line before an exit is the one that matters most.
    pino.destination({ dest: 2, sync: true }),
  );
}

/** A log that writes nothing, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' });
}
