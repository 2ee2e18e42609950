import {
  type Attributes,
  type Context,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Names and figures only: never content, keys or tokens. */
export type SpanAttributes = Attributes;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** A step of a trace that ends at another place than it began. */
export interface OpenSpan {
  /** In which further steps are its children. */
  context: Context;
  /** Says what is known at its end; an error marks it as failed. */
  end(attributes?: SpanAttributes, error?: unknown): void;
}

/**
 * Begins a step of a trace: below the one that is active or, with `headers`,
 * below the one that the caller's W3C `traceparent` names.
 */
export function openSpan(
  name: string,
  kind: keyof typeof kinds,
  options: { attributes?: SpanAttributes; headers?: Record<string, unknown> } = {},
): OpenSpan {
  const { attributes = {}, headers } = options;
  const parent = headers === undefined ? context.active() : propagation.extract(context.active(), headers);
  const span = trace.getTracer('team-memory').startSpan(name, { kind: kinds[kind], attributes }, parent);
  return {
    context: trace.setSpan(parent, span),
    end(more = {}, error) {
      span.setAttributes(more);
      // The name of an error only: its message may hold what was sent.
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
      span.end();
    },
  };
}

/** Runs `work` as a step of the active trace. */
export async function inSpan<Result>(
  name: string,
  kind: keyof typeof kinds,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = openSpan(name, kind);
  try {
    const result = await context.with(span.context, work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}

/** Runs `work` inside a span that stays open. */
export function within<Result>(span: OpenSpan, work: () => Result): Result {
  return context.with(span.context, work);
}

/** The headers that tell another process which step a call belongs to; none while nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
