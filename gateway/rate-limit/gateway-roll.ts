import { type RedisConnection, readRedisScript } from './redis-connection.ts';

/** How often a gateway says that it is there, and so how soon the others learn that it came. */
export const heartbeatMs = 1_500;
/** A gateway that missed three heartbeats is not counted any more. */
const lifetimeMs = 3 * heartbeatMs;

const rollKey = 'tms:gateways';
const script = readRedisScript('gateway-roll.lua');

/** Who is there, in milliseconds of the server's clock. */
export interface Roll {
  nowMs: number;
  /** When each gateway was last there. */
  lastHereMs: ReadonlyMap<string, number>;
}

/** Says that `gateway` is there, and answers who else is. */
export async function answerRoll(connection: RedisConnection, gateway: string): Promise<Roll> {
  const answer = await connection.evaluate(script, rollKey, [gateway, lifetimeMs]);
  const [nowMs, flat] = answer as [number, string[]];
  const lastHereMs = new Map<string, number>();
  for (let index = 0; index < flat.length; index += 2) {
    lastHereMs.set(flat[index] ?? '', Number(flat[index + 1]));
  }
  return { nowMs, lastHereMs };
}

/** Says that `gateway` goes, so that the others need not wait until it has missed its heartbeats. */
export async function leaveRoll(connection: RedisConnection, gateway: string): Promise<void> {
  await connection.evaluate(script, rollKey, [gateway, 0]);
}
