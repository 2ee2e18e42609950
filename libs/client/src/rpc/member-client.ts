import { createClient } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type DecisionMethods, decisionMethods } from './decisions.ts';
import { exchangingInterceptor } from './exchange.ts';
import { type ProjectMethods, projectMethods } from './projects.ts';
import { createRecordClient } from './records.ts';
import { createRpcConnection, type RpcConnection, type RpcConnectionOptions } from './rpc-calls.ts';
import { type WebhookMethods, webhookMethods } from './webhooks.ts';

export interface MemberClientOptions extends RpcConnectionOptions {
  /** The whole key, `tms_<key_id>_<secret>`. */
  key: string;
}

/** What members do over RPC that the public API does not offer. The key names the member and the team. */
export interface MemberClient {
  /** The decisions of the key's team. Writing them takes a key of tier team. */
  decisions: DecisionMethods;
  /** The created projects of that team. Only keys of tier team may use them. */
  projects: ProjectMethods;
  /** The webhooks of that team. Only its administrators may use them. */
  webhooks: WebhookMethods;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes a member's client over Connect on HTTP/2. Throws TypeError for a bad address. */
export function createMemberClient({ key, ...options }: MemberClientOptions): MemberClient {
  const { transport, close }: RpcConnection = createRpcConnection(
    options,
    exchangingInterceptor(key, () => createClient(AuthService, transport)),
  );
  const content = createRecordClient(ContentService, transport);
  return {
    decisions: decisionMethods(content, async () => ''),
    projects: projectMethods(content, async () => ''),
    webhooks: webhookMethods(content, async () => ({ teamId: '', teamSlug: '' })),
    close,
  };
}
