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
export function createLog(options: { level: LogLevel; part: string; accessLog?: 'on' | 'off' }): Log {
  const log = pino(
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
  if (options.accessLog === 'on') accessLogs.add(log);
  return log;
}

/** Logs that have a line for every request and every RPC (setting ACCESS_LOG). */
const accessLogs = new WeakSet<Log>();

/** Whether a line about each request or RPC is wanted: by the setting ACCESS_LOG, or at level debug. */
export function isAccessLogged(log: Log): boolean {
  return accessLogs.has(log) || log.isLevelEnabled('debug');
}

/** Writes the line about a request or an RPC that was answered. */
export function logAccess(log: Log, fields: object, message: string): void {
  if (accessLogs.has(log)) log.info(fields, message);
  else log.debug(fields, message);
}

/** A log that writes nothing, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' });
}
