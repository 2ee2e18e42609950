import { costOf } from './prices.ts';
import type { Abilities, SessionEvent, Tokens } from './session-event.ts';

/** Ids that are told apart in one client: more is no log of one person. */
const maxIds = 500_000;

type Answer = Extract<SessionEvent, { kind: 'answer' }>;

/** What is known of a session while its events come. */
interface SessionState {
  /** What the present task has done so far; undefined before the first one. */
  task: { hasDelegated: boolean; hasSubagent: boolean } | undefined;
  /** Answers since a check failed; undefined while none has. */
  loop: number | undefined;
}

/** Sums of one client over a window. */
export class Tally {
  tasks = 0;
  delegatedTasks = 0;
  subagentTasks = 0;
  calls = 0;
  verifyingCalls = 0;
  results = 0;
  failures = 0;
  readonly tools = new Set<string>();
  loops = 0;
  loopAnswers = 0;
  readonly can: Abilities;

  readonly #window: { from: number; to: number };
  readonly #withPrompt = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #sessions = new Map<string, SessionState>();
  /** Calls whose result has not come. */
  readonly #open = new Map<string, boolean>();
  readonly #answers = new Map<string, { model: string; tokens: Tokens; isWhole: boolean }>();

  /** Counts what happened within a window, in milliseconds since the epoch. */
  constructor(can: Abilities, window: { from: number; to: number }) {
    this.can = can;
    this.#window = window;
  }

  /** Sessions in which a person typed something. */
  get sessions(): number {
    return this.#withPrompt.size;
  }

  /** Takes an event. The same id again counts once, but for an answer, of which the best row counts. */
  add(event: SessionEvent): void {
    const { from, to } = this.#window;
    if (!(event.at >= from && event.at <= to) || this.#seen.size > maxIds) return;
    // A copied prompt begins no task, and what follows it is not a part of the one before.
    if (event.kind === 'prompt') {
      this.#withPrompt.add(event.session);
      this.#stateOf(event.session).task = undefined;
    }
    if (event.kind === 'answer' && event.tokens !== undefined) this.#keepTokens(event, event.tokens);
    if (!this.#isNew(event)) return;
    if (event.kind === 'prompt') this.#begin(event);
    if (event.kind === 'answer') this.#countAnswer(event);
    if (event.kind === 'call') this.#countCall(event);
    if (event.kind === 'result') this.#countResult(event);
  }

  /** Tokens of all answers, each once; `dollars` is undefined if a model has no known price. */
  usage(): {
    fresh: number;
    cacheRead: number;
    input: number;
    dollars: number | undefined;
    unpriced: string[];
  } {
    const unpriced = new Set<string>();
    const sum = { fresh: 0, cacheRead: 0, input: 0, dollars: 0 };
    for (const { model, tokens } of this.#answers.values()) {
      const { input = 0, cacheRead, cacheWrite, output } = tokens;
      sum.fresh += input + cacheWrite + output;
      sum.cacheRead += cacheRead;
      sum.input += input + cacheRead + cacheWrite;
      const dollars = costOf(model, tokens);
      if (dollars === undefined) unpriced.add(model);
      else sum.dollars += dollars;
    }
    const dollars = unpriced.size === 0 ? sum.dollars : undefined;
    return { ...sum, dollars, unpriced: [...unpriced] };
  }

  #keepTokens({ id, model, isWhole }: Answer, tokens: Tokens): void {
    const known = this.#answers.get(id);
    const isBetter =
      known === undefined ||
      (isWhole && !known.isWhole) ||
      (isWhole === known.isWhole && tokens.output > known.tokens.output);
    if (isBetter) this.#answers.set(id, { model, tokens, isWhole });
  }

  #isNew({ kind, id }: SessionEvent): boolean {
    if (id === '') return false;
    const key = `${kind} ${id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #stateOf(session: string): SessionState {
    const known = this.#sessions.get(session) ?? { task: undefined, loop: undefined };
    this.#sessions.set(session, known);
    return known;
  }

  #begin({ session }: SessionEvent): void {
    this.tasks += 1;
    this.#stateOf(session).task = { hasDelegated: false, hasSubagent: false };
  }

  #countAnswer({ session, isSubagent }: SessionEvent): void {
    const state = this.#stateOf(session);
    if (!isSubagent && state.loop !== undefined) state.loop += 1;
  }

  #countCall({ id, session, isSubagent, tool, purpose }: Extract<SessionEvent, { kind: 'call' }>): void {
    this.calls += 1;
    this.tools.add(tool);
    if (purpose === 'verify') this.verifyingCalls += 1;
    this.#open.set(id, purpose === 'verify' && !isSubagent);
    const { task } = this.#stateOf(session);
    // A subagent's own calls say nothing about the task that it is a part of, but that there is one.
    if (task === undefined) return;
    if (isSubagent || purpose === 'delegate') {
      if (!task.hasSubagent) this.subagentTasks += 1;
      task.hasSubagent = true;
    }
    if (purpose === 'other') return;
    if (!task.hasDelegated) this.delegatedTasks += 1;
    task.hasDelegated = true;
  }

  #countResult({ id, session, hasFailed }: Extract<SessionEvent, { kind: 'result' }>): void {
    const isCheck = this.#open.get(id);
    if (isCheck === undefined) return;
    this.#open.delete(id);
    this.results += 1;
    if (hasFailed) this.failures += 1;
    if (!isCheck) return;
    const state = this.#stateOf(session);
    if (hasFailed) state.loop ??= 0;
    else if (state.loop !== undefined) {
      this.loops += 1;
      this.loopAnswers += state.loop;
      state.loop = undefined;
    }
  }
}
