import { styleText } from 'node:util';

/** An output stream. `isTTY` decides whether progress and colours are shown. */
export type TextStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

type Environment = Readonly<Record<string, string | undefined>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it has to find control characters
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** The control characters that JSON does not escape. */
const rawInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes foreign text safe for a terminal. It removes the control characters that move the cursor, rename the window,
 * type as the user or change the direction of text. Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** Returns a value as JSON on one line, with these characters escaped as in `\\u009b`, because it may go to a terminal. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    rawInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text that is safe for a terminal and may have colours. Only `Paint` and `line` make it. */
export class TerminalText {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }
}

/** Builds text from a template. Control characters are taken out of the values that are not TerminalText. */
export function line(
  template: TemplateStringsArray,
  ...values: (string | number | TerminalText)[]
): TerminalText {
  const parts = values.map((value) =>
    value instanceof TerminalText ? value.value : printable(String(value)),
  );
  return new TerminalText(String.raw({ raw: template }, ...parts));
}

/** Puts lines below each other. */
export function lines(texts: readonly (string | TerminalText)[]): TerminalText {
  return new TerminalText(texts.map((text) => line`${text}`.value).join('\n'));
}

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** Makes text of a colour, or plain text where colours are off. Control characters are taken out. */
export type Paint = (colour: Colour, text: string) => TerminalText;

export function createPaint(env: Environment, stream: TextStream): Paint {
  if (!showsColours(env, stream)) return (_, text) => new TerminalText(printable(text));
  return (colour, text) => new TerminalText(styleText(colour, printable(text), { validateStream: false }));
}

/** Colours the lines of a unified diff. */
export function paintPatch(patch: string, paint: Paint): TerminalText[] {
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => {
      if (/^(---|\+\+\+) /.test(text)) return paint('bold', text);
      if (text.startsWith('@@')) return paint('cyan', text);
      if (text.startsWith('+')) return paint('green', text);
      if (text.startsWith('-')) return paint('red', text);
      return lines([text]);
    });
}

/** Colours are for terminals only. `FORCE_COLOR` (other than 0 and false) wins over `NO_COLOR` (no-color.org). */
function showsColours(env: Environment, stream: TextStream): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (none !== undefined && none !== '') return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
