/** What both ends of a connection between processes agree on. */
export const connectionLimits = {
  /**
   * Window of a stream and of the whole connection: a large page goes at full
   * speed. Node's option `initialWindowSize` raises that of a stream only.
   */
  windowBytes: 16 * 1024 * 1024,
  /** Node refuses streams on a connection that holds more; its default of 10 is less than one window. */
  sessionMemoryMegabytes: 64,
  /** Room for a page of 200 items of 1 MiB; a larger message is refused before it is read. */
  messageMaxBytes: 256 * 1024 * 1024,
} as const;
