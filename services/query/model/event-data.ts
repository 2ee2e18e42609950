/** Bytes of one answer on the wire: 2,000 tokens take a fifth of it in the wordiest servers. */
const maxResponseBytes = 4 * 1024 * 1024;
/** Bytes of one line, which is one event: a line is read as a whole. */
const maxLineBytes = 256 * 1024;
const newline = 0x0a;
const dataLine = /^data: ?(.*?)\r?$/s;

/** Takes the data out of a stream of server-sent events that comes in pieces. */
export interface EventData {
  /**
   * Takes more bytes and answers the data of each event in the lines that are
   * complete by now.
   * @throws Error for a line or an answer that is too long.
   */
  push(bytes: Uint8Array): string[];
}

/** Makes a reader of events that have one line of data each, as those of model servers do; all else is passed over. */
export function createEventData(): EventData {
  let totalBytes = 0;
  /** The beginning of a line whose end has not come. */
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  return {
    push(bytes) {
      totalBytes += bytes.length;
      const end = bytes.lastIndexOf(newline) + 1;
      const whole = end === 0 ? [] : [...held, bytes.subarray(0, end)];
      if (end > 0) {
        held = [];
        heldBytes = 0;
      }
      if (end < bytes.length) held.push(bytes.subarray(end));
      heldBytes += bytes.length - end;
      if (totalBytes > maxResponseBytes || heldBytes > maxLineBytes)
        throw new Error('the answer is too long');
      const lines = Buffer.concat(whole).toString().split('\n');
      return lines.flatMap((line) => dataLine.exec(line)?.[1] ?? []);
    },
  };
}
