import { type Client, createClient } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type DecisionMethods, decisionMethods } from './decision-methods.ts';
import { exchangingInterceptor } from './exchanging-interceptor.ts';
import { type ProjectMethods, projectMethods } from './project-methods.ts';
import { createRpcConnection, type RpcConnectionOptions } from './rpc-connection.ts';

export interface MemberClientOptions extends RpcConnectionOptions {
  /** The whole key, `tms_<key_id>_<secret>`. */
  key: string;
}

/** What members do past the public API, over RPC. The key says who it is and of which team. */
export interface MemberClient {
  /** The decisions of the key's team; to write them takes a key of tier team. */
  decisions: DecisionMethods;
  /** The created projects of that team; for keys of tier team. */
  projects: ProjectMethods;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes a member's client over Connect on HTTP/2. Throws TypeError for a bad address. */
export function createMemberClient({ key, ...options }: MemberClientOptions): MemberClient {
  const connection = createRpcConnection(
    options,
    exchangingInterceptor(key, () => auth),
  );
  const auth: Client<typeof AuthService> = createClient(AuthService, connection.transport);
  const content = createClient(ContentService, connection.transport);
  return {
    decisions: decisionMethods(content, async () => ''),
    projects: projectMethods(content, async () => ''),
    close: connection.close,
  };
}
