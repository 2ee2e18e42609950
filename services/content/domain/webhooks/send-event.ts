/** How attempts end, as metrics count them. */
export const sendOutcomes = ['delivered', 'failed', 'timed_out', 'not_allowed', 'gone'] as const;

/** How an attempt ended. */
export interface SendResult {
  outcome: (typeof sendOutcomes)[number];
  /** In words that reveal nothing about this network. */
  text: string;
  /** How long the receiver asked to wait, at most an hour. */
  retryAfterMs?: number;
}

/** Sends one event. Never throws for what the receiver does; throws the reason of `signal` if that aborts. */
export type SendEvent = (event: {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Milliseconds until the attempt has failed. Unset: 15 seconds. */
  timeoutMs?: number;
}) => Promise<SendResult>;
