import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Values in the order of their places, or first an object with those that have names. */
type Values = (SQLInputValue | Record<string, SQLInputValue>)[];

/** A compiled statement. */
export interface Statement {
  get(...values: Values): ReturnType<StatementSync['get']>;
  all(...values: Values): ReturnType<StatementSync['all']>;
  iterate(...values: Values): ReturnType<StatementSync['iterate']>;
  run(...values: Values): ReturnType<StatementSync['run']>;
}
