import { createClient, type Interceptor } from '@connectrpc/connect';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { type AccountMethods, accountMethods } from './accounts.ts';
import { type AnalyticsMethods, analyticsMethods } from './analytics.ts';
import { type AuditMethods, auditMethods } from './audit.ts';
import { type BackupMethods, backupMethods } from './backup.ts';
import { type ContentAdmin, contentMethods } from './content-admin.ts';
import { exchangingInterceptor } from './exchange.ts';
import { type OperatorMethods, operatorMethods } from './operators.ts';
import { type RatingMethods, ratingMethods } from './ratings.ts';
import { createRecordClient } from './records.ts';
import { createRpcConnection, type RpcConnection, type RpcConnectionOptions } from './rpc-calls.ts';
import { type IndexMethods, indexMethods } from './search-index.ts';
import { type ServiceCredentialMethods, serviceCredentialMethods } from './service-credentials.ts';
import { type SignInAddressMethods, signInAddressMethods } from './sign-in-addresses.ts';
import { type TeamRows, teamRows } from './team-rows.ts';
import { type UsageMethods, usageMethods } from './usage.ts';

export interface AdminClientOptions extends RpcConnectionOptions {
  /** The token of an operator, or the one that the installation was set up with. */
  token: string;
}

/** What administrators do with the whole installation. Every method throws RpcError. */
export interface AdminClient
  extends AccountMethods,
    AnalyticsMethods,
    AuditMethods,
    BackupMethods,
    ContentAdmin,
    OperatorMethods,
    RatingMethods,
    ServiceCredentialMethods,
    SignInAddressMethods,
    IndexMethods,
    UsageMethods {
  /** Returns the methods that read and import all rows of a team, which is named by slug. */
  teamRows(team: string): TeamRows;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes an administrator's client over Connect on HTTP/2. Throws TypeError for a bad address or token. */
export function createAdminClient({ token, ...options }: AdminClientOptions): AdminClient {
  // A header with a control character would be quoted, and with it the token, in the error that it causes.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('The admin token contains characters that are not allowed in a token.');
  const asItIs: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const isOperators = token.startsWith('tmso_');
  const authorize = isOperators
    ? exchangingInterceptor(token, () => createClient(AuthService, transport))
    : asItIs;
  const { transport, close }: RpcConnection = createRpcConnection(options, authorize);
  const auth = createRecordClient(AuthService, transport);
  const query = createRecordClient(QueryService, transport);
  const content = createRecordClient(ContentService, transport);
  const analytics = createRecordClient(AnalyticsService, transport);
  return {
    ...accountMethods(auth),
    ...analyticsMethods(auth, analytics),
    ...auditMethods({ auth, content }),
    ...backupMethods(transport),
    ...contentMethods(auth, content),
    teamRows: (team) => teamRows({ auth, content, analytics }, team),
    ...indexMethods(auth, query),
    ...usageMethods(auth, query),
    ...ratingMethods(auth, query),
    ...operatorMethods(auth),
    ...serviceCredentialMethods(auth),
    ...signInAddressMethods(auth),
    close,
  };
}
