import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import type { Transports } from './clients.ts';

type Part = keyof Transports;

/** How long the question may take whether a part accepts a token. */
const questionTimeoutMs = 2_500;

/** What is known of each part. */
type State = 'unknown' | 'accepts' | 'refuses';

/** Knows which parts refuse the tokens that this gateway signs, which is a fault of the installation and of no client. */
export interface TokenRefusals {
  /** The same transports; a refused token arrives as `unavailable`, instead of as a refusal of the client's key. */
  transports: Transports;
  /**
   * Asks the parts of which it is not known, or which refused the last token.
   * @throws AppError `unavailable` if one refuses the tokens of this gateway.
   */
  ready(): Promise<void>;
}

/** Watches the calls to all parts. A refusal is logged once, and so is its end. */
export function watchTokenRefusals(options: {
  transports: Transports;
  /** Returns a token of the gateway itself for a part. */
  tokenFor: (part: Part) => Promise<string>;
  log: Log;
}): TokenRefusals {
  const { transports, tokenFor, log } = options;
  const states = new Map<Part, State>();

  function note(part: Part, state: State): void {
    const before = states.get(part) ?? 'unknown';
    if (before === state) return;
    states.set(part, state);
    if (state === 'refuses') {
      log.error(
        { refused_by: part },
        `${part} refuses the tokens of this gateway: its VERIFICATION_KEYS must have the public key of this gateway's ` +
          'SIGNING_KEY, and the clocks of both machines must agree',
      );
    } else if (before === 'refuses')
      log.info({ accepted_by: part }, `${part} accepts the tokens of this gateway again`);
  }

  function noteFailure(part: Part, thrown: unknown): never {
    const { code } = appErrorFromRpc(thrown);
    if (code === 'unauthenticated') {
      note(part, 'refuses');
      throw connectErrorFrom(refused(thrown));
    }
    // What answers in its own words has looked at the token.
    if (code !== 'unavailable' && code !== 'cancelled' && code !== 'internal') note(part, 'accepts');
    throw thrown;
  }

  function watched(part: Part): Transport {
    const transport = transports[part];
    return {
      unary: async (...call) => {
        const answer = await transport.unary(...call).catch((thrown: unknown) => noteFailure(part, thrown));
        note(part, 'accepts');
        return answer;
      },
      stream: (...call) => transport.stream(...call).catch((thrown: unknown) => noteFailure(part, thrown)),
    };
  }

  const watchedTransports: Transports = {
    analytics: watched('analytics'),
    auth: watched('auth'),
    content: watched('content'),
    query: watched('query'),
  };
  const clients = {
    analytics: createClient(AnalyticsService, watchedTransports.analytics),
    auth: createClient(AuthService, watchedTransports.auth),
    content: createClient(ContentService, watchedTransports.content),
    query: createClient(QueryService, watchedTransports.query),
  };
  /** Methods that the gateway may not call: a part that accepts the token refuses the call. */
  const questions: Record<
    Part,
    (call: { headers: Record<string, string>; timeoutMs: number }) => Promise<unknown>
  > = {
    analytics: (call) => clients.analytics.rescoreScans({}, call),
    auth: (call) => clients.auth.listTeams({}, call),
    content: (call) => clients.content.listFeeds({}, call),
    query: (call) => clients.query.getIndex({}, call),
  };

  async function ask(part: Part): Promise<void> {
    if (states.get(part) === 'accepts') return;
    const headers = { authorization: `Bearer ${await tokenFor(part)}` };
    await questions[part]({ headers, timeoutMs: questionTimeoutMs }).catch(() => undefined);
    if (states.get(part) === 'refuses') throw refused();
  }

  return {
    transports: watchedTransports,
    async ready() {
      await Promise.all((Object.keys(questions) as Part[]).map(ask));
    },
  };
}

function refused(cause?: unknown): AppError {
  return new AppError('unavailable', 'The service is not set up correctly; its operator has been told.', {
    cause,
  });
}
