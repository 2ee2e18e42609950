import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { everyPage, given } from './rpc-calls.ts';

/** An administrator of the installation, without the token. */
export interface OperatorRecord {
  token_id: string;
  name: string;
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** What administrators do with each other. Every method throws RpcError. */
export interface OperatorMethods {
  /** Makes an operator. Only this result ever contains `token`. Without `expiresAt` it never expires. */
  createOperator(
    operator: { name: string; expiresAt?: Date | undefined },
    options?: CallOptions,
  ): Promise<OperatorRecord & { token: string }>;
  /**
   * Revokes an operator. Succeeds again if the operator was revoked before. The last one, while the first token is off,
   * only with `force`.
   */
  revokeOperator(name: string, options?: CallOptions & { force?: boolean }): Promise<OperatorRecord>;
  /** Yields the operators page by page, ordered by name. */
  listOperators(options?: CallOptions): AsyncGenerator<OperatorRecord[]>;
}

/** Makes the methods. */
export function operatorMethods(auth: RecordClient<typeof AuthService>): OperatorMethods {
  return {
    async createOperator({ name, expiresAt }, options) {
      const request = { name, expiresAt: expiresAt && timestampFromDate(expiresAt) };
      const { operator, secret_token } = await auth.createOperator(request, options);
      return { ...given(operator), token: secret_token };
    },
    revokeOperator: async (name, { force = false, ...options } = {}) =>
      given((await auth.revokeOperator({ name, force }, options)).operator),
    async *listOperators(options) {
      const pages = everyPage((pageToken) =>
        auth.listOperators({ pageSize: maxPageRows, pageToken }, options),
      );
      for await (const { operators } of pages) yield operators;
    },
  };
}
