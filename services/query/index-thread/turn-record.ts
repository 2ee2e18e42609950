const [turnField, lengthField] = [0, 1];
const headerBytes = 8;
/** Ids of teams are shorter; of a longer one the rest is left out. */
const maxIdBytes = 256;

/** What a thread does at the moment, to be seen by another one even after it has ended. */
export interface TurnRecord {
  /** To be shared with the other thread. */
  buffer: SharedArrayBuffer;
  /** Says whose work begins; undefined when it has ended. */
  begin(teamId: string | undefined): void;
  /** Counts beginnings and ends. */
  turn(): number;
  /** Whose work is under way; undefined where none is. */
  teamId(): string | undefined;
}

/** Makes a record, or reads and writes one that another thread has made. */
export function turnRecord(buffer = new SharedArrayBuffer(headerBytes + maxIdBytes)): TurnRecord {
  const fields = new Int32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer, headerBytes);
  const isUnderWay = () => Atomics.load(fields, turnField) % 2 !== 0;
  return {
    buffer,
    begin(teamId) {
      if (teamId !== undefined) {
        const { length } = Buffer.from(teamId).subarray(0, maxIdBytes);
        bytes.set(Buffer.from(teamId).subarray(0, maxIdBytes));
        Atomics.store(fields, lengthField, length);
      }
      if (isUnderWay() !== (teamId !== undefined)) Atomics.add(fields, turnField, 1);
    },
    turn: () => Atomics.load(fields, turnField),
    teamId() {
      if (!isUnderWay()) return undefined;
      return Buffer.from(bytes.slice(0, Atomics.load(fields, lengthField))).toString();
    },
  };
}
