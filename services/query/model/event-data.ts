/** Bytes of one answer, decompressed: 2,000 tokens take a fifth of it in the wordiest servers. */
const maxResponseBytes = 4 * 1024 * 1024;
/** Bytes of one line, which is one event: a line is read as a whole. */
const maxLineBytes = 256 * 1024;
/** A line ends with either or with both, which then only makes an empty line more. */
const lineEnd = /[\r\n]/;
const [carriageReturn, newline] = [0x0d, 0x0a];
/** Some servers begin with it. */
const byteOrderMark = '\ufeff';
const field = 'data:';

/** Takes the data out of a stream of server-sent events that comes in pieces. */
export interface EventData {
  /**
   * Takes more bytes and answers the data of each event in the lines that are
   * complete by now.
   * @throws Error for a line or an answer that is too long.
   */
  push(bytes: Buffer): string[];
}

/** Makes a reader of events that have one line of data each, as those of model servers do; all else is passed over. */
export function createEventData(): EventData {
  let totalBytes = 0;
  /** The beginning of a line whose end has not come. */
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isBeginning = true;

  return {
    push(bytes) {
      totalBytes += bytes.length;
      const end = Math.max(bytes.lastIndexOf(newline), bytes.lastIndexOf(carriageReturn)) + 1;
      const before = end > 0 ? held : [];
      if (end > 0) {
        held = [];
        heldBytes = 0;
      }
      if (end < bytes.length) held.push(bytes.subarray(end));
      heldBytes += bytes.length - end;
      if (totalBytes > maxResponseBytes || heldBytes > maxLineBytes)
        throw new Error('the answer is too long');
      if (end === 0) return [];
      // Mostly a piece is whole events, and nothing has to be copied.
      const whole = before.length === 0 ? bytes : Buffer.concat([...before, bytes.subarray(0, end)]);
      const lines = whole.toString('utf8', 0, before.length === 0 ? end : whole.length);
      const isMarked = isBeginning && lines.startsWith(byteOrderMark);
      isBeginning = false;
      return dataOf(isMarked ? lines.slice(1) : lines);
    },
  };
}

function dataOf(lines: string): string[] {
  return lines
    .split(lineEnd)
    .filter((line) => line.startsWith(field))
    .map((line) => line.slice(line[field.length] === ' ' ? field.length + 1 : field.length));
}
