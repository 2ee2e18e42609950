/** Values of one field as JSON writes them, so that those which no parser keeps can be sent too. */
export interface FieldValues {
  /** At most up to its bounds. */
  good: string[];
  /** Past them, or of another type. */
  bad: string[];
}

/** The largest count: 32 bits with a sign. */
export const maxCount = 2 ** 31 - 1;
const notNumbers = ['null', 'true', '""', '"1"', '"NaN"', '"Infinity"', '[]', '[1]', '{}', '{"$gt":0}'];
/** What stands where a text belongs. */
export const notTexts = ['null', 'false', '0', '["a"]', '{}', '{"toString":"a"}', '"\\ud800"', '"\\udfffx"'];
/** What stands where an object belongs. */
export const notObjects = ['null', 'true', '1', '"a"', '[]', '[{}]'];
const infinite = ['1e400', '-1e400', '9'.repeat(400)];
/** A text of `length` characters. */
export const text = (length: number, character = 'a') => JSON.stringify(character.repeat(length));

/** A whole number from 0 to `maxCount`. */
export const count: FieldValues = {
  good: ['0', '-0', '1', '1.0', '1e3', `${maxCount}`],
  bad: [...notNumbers, ...infinite, '-1', '0.5', '1e-3', `${maxCount + 1}`, '9007199254740993'],
};
/** A whole number from 1 to 366. */
export const windowDays: FieldValues = {
  good: ['1', '366', '3.66e2'],
  bad: [...notNumbers, ...infinite, '0', '-1', '367', '1.5', '9007199254740993'],
};
/** A number from 0 to `maximum`. */
export const amount = (maximum: number): FieldValues => ({
  good: ['0', '-0', '1e-400', `${maximum}`, `${maximum / 3}`],
  bad: [...notNumbers, ...infinite, '-1', '-1e-300', `${maximum * 1.000_001}`, `${maximum}.0001`],
});
/** A finite number from 0 on. */
export const measure: FieldValues = {
  good: ['0', '-0', '1e-400', '9007199254740993', '1.7976931348623157e308'],
  bad: [...notNumbers, ...infinite, '-1', '-1e-300'],
};
/** True or false. */
export const flag: FieldValues = { good: ['true', 'false'], bad: ['null', '0', '1', '"true"', '[]', '{}'] };
/** A text of 1 to `maximum` characters in one line. */
export const name = (maximum: number): FieldValues => ({
  good: [text(1), text(maximum), text(maximum, '\u{1f989}'), '"$where"', '"__proto__"', '" "'],
  bad: [...notTexts, '""', text(maximum + 1), text(maximum + 1, '\u{1f989}'), '"a\\u0000"', '"a\\nb"'],
});
/** A text of at most `maximum` characters. */
export const freeText = (maximum: number): FieldValues => ({
  good: ['""', '"a\\nb"', text(maximum), text(maximum, '\u{1f989}')],
  bad: [...notTexts, text(maximum + 1), text(maximum + 1, '\u{1f989}')],
});
/** A level of the scale. */
export const level: FieldValues = {
  good: ['"L0"', '"L5"'],
  bad: [...notTexts, '""', '"L6"', '"l1"', '"L-1"', '"L01"', '"L1 "', '"L"', '1', '"toString"'],
};
/** A name for paths. */
export const slug: FieldValues = {
  good: ['"a"', '"a-1"', text(64)],
  bad: [...notTexts, '""', '"A"', '"-a"', '"a-"', '"a/b"', '"a b"', '"\u0430"', '"a\\n"', text(65)],
};
