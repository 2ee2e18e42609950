import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';
import { t } from '../language/language.ts';

/** A refusal or failure in the service's own words. */
export class Problem extends Error {
  /** The service's code, such as `conflict`; `offline` if it could not be reached. */
  readonly code: string;
  /** To find the call in the service's log; empty if the call did not reach it. */
  readonly requestId: string;
  /** Checksum of the stored version, where the service told it. */
  readonly currentChecksum: string | undefined;
  /** Of a batch of which no item was accepted: why, for each. */
  refusals?: readonly { index: number; detail: string }[];
  /** With `rate_limited`: when to try again, and how much one call may have. */
  limit?: { retryAfterSeconds: number; quota: number };

  constructor(code: string, message: string, requestId = '', currentChecksum?: string) {
    super(message);
    this.name = 'Problem';
    this.code = code;
    this.requestId = requestId;
    this.currentChecksum = currentChecksum;
  }
}

/** Codes of calls that a session which has ended makes. */
const sessionCodes: ReadonlySet<string> = new Set(['invalid_key', 'unauthenticated']);

/** Whether a call was refused because nobody is signed in any more. */
export function isSignedOut({ code }: Problem): boolean {
  return sessionCodes.has(code);
}

/** Makes a problem of whatever a call threw. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof ConnectError) return problemFromRpc(thrown);
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
    return new Problem('unavailable', t('The service did not answer in time. Try again.'));
  }
  if (thrown instanceof TypeError) return offline();
  return new Problem('internal', thrown instanceof Error ? thrown.message : String(thrown));
}

/** Reads an `application/problem+json` answer; anything else becomes a problem with its status. */
export async function problemFromResponse(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? '';
  const body = await response.json().catch(() => undefined);
  if (typeof body?.code !== 'string') {
    return new Problem(
      'unavailable',
      t('The service answered with status {status}.', { status: response.status }),
      requestId,
    );
  }
  // A push whose only item is refused gives the item's own reason, such as a conflict, inside that of the batch.
  const [only, ...more] = Array.isArray(body.errors) ? body.errors : [];
  const { code, detail, current_checksum } =
    typeof only?.code === 'string' && more.length === 0 ? only : body;
  const problem = new Problem(code, detail ?? body.title, body.request_id ?? requestId, current_checksum);
  if (Array.isArray(body.errors)) problem.refusals = body.errors;
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0);
  const quota = Number(/;q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '')?.[1] ?? 0);
  if (retryAfterSeconds > 0) problem.limit = { retryAfterSeconds, quota };
  return problem;
}

function problemFromRpc(error: ConnectError): Problem {
  const requestId = error.metadata.get('x-request-id') ?? '';
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail !== undefined) {
    return new Problem(detail.code, error.rawMessage, requestId, detail.currentChecksum);
  }
  if (error.code === Code.Canceled) return new Problem('cancelled', t('The call was cancelled.'), requestId);
  if (error.code === Code.DeadlineExceeded) {
    return new Problem('unavailable', t('The service did not answer in time. Try again.'), requestId);
  }
  if (error.code === Code.Unauthenticated) return new Problem('unauthenticated', error.rawMessage, requestId);
  // Connect wraps what `fetch` threw, which is what happens when nothing answers.
  if (error.cause instanceof TypeError || requestId === '') return offline();
  return new Problem('internal', error.rawMessage, requestId);
}

function offline(): Problem {
  return new Problem(
    'offline',
    t('The service cannot be reached. Check that it runs and that you are connected.'),
  );
}
