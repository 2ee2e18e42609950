import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Names and figures only: never content, keys or tokens. */
export type SpanAttributes = Attributes;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** A step of a trace that ends at another place than it began. */
export interface OpenSpan {
  /** In which further steps are its children. */
  context: Context;
  /** Ends the span with final attributes; an error marks it as failed. */
  end(attributes?: SpanAttributes, error?: unknown): void;
}

/** The beginning of a step. */
export interface SpanStart {
  attributes?: SpanAttributes;
  /** The caller's W3C `traceparent`, where it may have one: the step is below that instead of below the active one. */
  traceparent?: string | null | undefined;
}

/** Makes the spans of this process; undefined while nothing is traced, so that nothing is done for nobody. */
let tracer: Tracer | undefined;

/** From now on spans go to this tracer, or nowhere. For `startTracing` alone. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether spans go anywhere. What costs something to find out for a span is found out only then. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** While nothing is traced a step is this one. */
const untraced: OpenSpan = { context: context.active(), end: () => undefined };

/** Begins a step of a trace: below the caller's, where one is named, else below the active one. */
export function openSpan(name: string, kind: keyof typeof kinds, start: SpanStart = {}): OpenSpan {
  if (tracer === undefined) return untraced;
  const parent = start.traceparent ? contextOf(start.traceparent) : context.active();
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes: start.attributes ?? {} }, parent);
  return { context: trace.setSpan(parent, span), end: (more, error) => endSpan(span, more, error) };
}

/** Runs `work` as a step of the active trace. */
export function inSpan<Result>(
  name: string,
  kind: keyof typeof kinds,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer === undefined ? work() : untilSettled(openSpan(name, kind), work);
}

async function untilSettled<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await within(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}

/** Runs `work` inside a span that stays open. */
export function within<Result>(span: OpenSpan, work: () => Result): Result {
  return tracer === undefined ? work() : context.with(span.context, work);
}

/**
 * The messages of a stream, each fetched inside a span that stays open: a
 * generator runs where it is asked from. It is no generator itself, for one that
 * is left before it began would not let go of the stream.
 */
export function eachWithin<Message>(
  span: OpenSpan,
  messages: AsyncIterable<Message>,
): AsyncIterableIterator<Message> {
  const iterator = messages[Symbol.asyncIterator]();
  return {
    next: () => within(span, () => iterator.next()),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The header that tells another process which step a call belongs to; undefined while nothing is traced. */
export function traceparent(): string | undefined {
  if (tracer === undefined) return undefined;
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers.traceparent;
}

/** Of what a caller sends only ids are taken over: a `tracestate` can hold any text. */
function contextOf(header: string): Context {
  return propagation.extract(context.active(), { traceparent: header });
}

function endSpan(span: Span, attributes: SpanAttributes = {}, error?: unknown): void {
  span.setAttributes(attributes);
  // The name of an error only: its message may hold what was sent.
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
  span.end();
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
