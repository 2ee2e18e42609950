/** A text in its frame, as a reader sees it who goes by the mark of the result alone. */
export interface Frame {
  /** What the first line says of it, after the mark. */
  label: string;
  text: string;
}

/** What a result consists of. */
export interface FramedResult {
  /** Drawn for this result. */
  mark: string;
  frames: Frame[];
  /** What stands outside of the frames: words of the service. */
  outside: string;
}

/**
 * Reads the text of a result strictly: each line that begins with the mark opens or ends a frame.
 * @throws Error where frames do not open and end in turn.
 */
export function readFrames(text: string): FramedResult {
  const mark = /^=== [0-9a-f]{12}(?= )/m.exec(text)?.[0];
  if (mark === undefined) throw new Error(`no frame in ${text.slice(0, 200)}`);
  const frames: Frame[] = [];
  const outside: string[] = [];
  let open: { label: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    if (!line.startsWith(mark)) {
      (open?.lines ?? outside).push(line);
      continue;
    }
    const label = line.slice(mark.length + 1);
    if (open === undefined) open = { label, lines: [] };
    else if (label === 'end') {
      frames.push({ label: open.label, text: open.lines.join('\n') });
      open = undefined;
    } else throw new Error(`a frame opens within another: ${label}`);
  }
  if (open !== undefined) throw new Error(`a frame does not end: ${open.label}`);
  return { mark, frames, outside: outside.join('\n').trim() };
}
