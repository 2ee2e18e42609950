import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { type AuthService, type Operator, OperatorSchema } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { bootstrapName } from '@teammemory/rpc/auth/authenticate.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { findOperators } from '../domain/operators.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { ServiceCredential, ServiceCredentials } from '../domain/service-credentials.ts';
import { optionalTimestampFromProto, optionalTimestampToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  operators: ServiceCredentials;
  audit: Audit;
  clock: () => number;
  /** Nobody is an administrator by the token that the installation was set up with. */
  needsOperator: boolean;
}

const lastOperator =
  'must be set to revoke the last operator while BOOTSTRAP_TOKEN is off, because nobody could administer the installation then; make another operator first';

/** What every operator may do; room for operators who may do less. */
const scopes = ['administrator'];

/** Handles `CreateOperator`. */
export function createOperatorHandler({ operators, audit }: Dependencies): Handlers['createOperator'] {
  return async (request, context) => {
    requireAdministrator(context);
    const { name } = request;
    if (name === bootstrapName)
      throw invalidRequest('/name', 'must not be bootstrap, the name of the first administrator');
    const expiresAt = optionalTimestampFromProto(request.expiresAt);
    const { credential, text } = await audit.act(context, { action: 'operator.create', object: name }, () =>
      operators.create({ name, scopes, expiresAt }),
    );
    return { operator: operatorToProto(credential), secretToken: text };
  };
}

/** Handles `RevokeOperator`. */
export function revokeOperatorHandler({
  operators,
  audit,
  clock,
  needsOperator,
}: Dependencies): Handlers['revokeOperator'] {
  return async ({ name, force }, context) => {
    requireAdministrator(context);
    if (needsOperator && !force) {
      const others = await findOperators(operators, { now: clock(), except: name });
      if (!others.isAnyActive) throw invalidRequest('/force', lastOperator);
    }
    const operator = await audit.act(context, { action: 'operator.revoke', object: name }, () =>
      operators.revoke(name),
    );
    return { operator: operatorToProto(operator) };
  };
}

const list = 'operators';

/** Handles `ListOperators`. */
export function listOperatorsHandler({ operators }: Dependencies): Handlers['listOperators'] {
  return async (request, context) => {
    requireAdministrator(context);
    const afterName = pageTokenFromProto(list, request.pageToken);
    const page = await operators.list(afterName, pageSizeFromProto(request.pageSize, maxPageRows));
    return {
      operators: page.rows.map(operatorToProto),
      nextPageToken: nextPageTokenToProto(list, page, ({ name }) => name),
    };
  };
}

function operatorToProto({
  credentialId,
  name,
  createdAt,
  expiresAt,
  revokedAt,
}: ServiceCredential): Operator {
  return create(OperatorSchema, {
    tokenId: credentialId,
    name,
    createdAt: timestampFromMs(createdAt),
    expiresAt: optionalTimestampToProto(expiresAt),
    revokedAt: optionalTimestampToProto(revokedAt),
  });
}
