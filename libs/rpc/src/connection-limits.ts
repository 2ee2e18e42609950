/** Room for a page of 200 items of 1 MiB; a larger answer is a fault of ours. */
export const maxAnswerBytes = 256 * 1024 * 1024;
/** Node refuses streams on a connection that holds more; its default of 10 is less than one window between parts. */
export const sessionMemoryMegabytes = 64;

/**
 * Who is at the other end of a connection: nobody whom we know, somebody who
 * made a call with a good token, or another part of this installation.
 */
export type Standing = 'stranger' | 'caller' | 'part';

/** What a connection may hold. */
export interface ConnectionRoom {
  /** Streams open at once. */
  streams: number;
  /** Window of each stream: what may arrive before it is read. */
  streamWindowBytes: number;
  /** Window of the whole connection, which Node opens again whether anything is read or not: it bounds speed alone. */
  sessionWindowBytes: number;
}

/**
 * Every connection begins as a stranger's: 32 streams of 2 KiB are the 64 KiB that one may hold. A client that makes
 * more calls than that at once, before it has heard how many it may make, has the others refused for it to repeat.
 */
export const connectionRoom: Record<Standing, ConnectionRoom> = {
  stranger: { streams: 32, streamWindowBytes: 2 * 1024, sessionWindowBytes: 65_535 },
  // Windows are memory as well; a connection far away is still quick with these.
  caller: { streams: 100, streamWindowBytes: 256 * 1024, sessionWindowBytes: 1024 * 1024 },
  // A large page goes at full speed.
  part: {
    streams: 1_000,
    streamWindowBytes: 16 * 1024 * 1024,
    sessionWindowBytes: 16 * 1024 * 1024,
  },
};

/**
 * Bytes of messages that the calls of a stranger may hold together, also while it does not yet keep to its windows:
 * the 64 KiB that HTTP/2 lets it send before, and room for pieces that count more than their bytes. A connection that
 * is within its rights must hear why it is refused.
 */
export const maxStrangerHeldBytes = 80 * 1024;
