import { type Client, Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { sessionEnded } from './session.ts';

/** How long a unary call may take; the gateway gives up earlier. */
const callTimeoutMs = 20_000;

const noticeEndOfSession: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unauthenticated) sessionEnded();
    throw error;
  }
};

const transport = createConnectTransport({
  baseUrl: '/rpc',
  useBinaryFormat: true,
  defaultTimeoutMs: callTimeoutMs,
  interceptors: [noticeEndOfSession],
});

/** The services' own RPCs, called as who is signed in. Failed calls reject with a `ConnectError`. */
export const rpc: {
  analytics: Client<typeof AnalyticsService>;
  auth: Client<typeof AuthService>;
  content: Client<typeof ContentService>;
  query: Client<typeof QueryService>;
} = {
  analytics: createClient(AnalyticsService, transport),
  auth: createClient(AuthService, transport),
  content: createClient(ContentService, transport),
  query: createClient(QueryService, transport),
};
