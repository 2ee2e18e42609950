import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService, RegisteredAppSchema } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireGateway } from '@teammemory/rpc/auth/caller-context.ts';
import type { RegisteredApp, RegisteredApps } from '../domain/registered-apps.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  registered: RegisteredApps;
}

/** Handles `RegisterApp`. */
export function registerAppHandler({ registered }: Dependencies): Handlers['registerApp'] {
  return async ({ name, redirectUris }, context) => {
    requireGateway(context);
    return { app: registeredAppToProto(await registered.register({ name, redirectUris })) };
  };
}

/** Handles `FindRegisteredApp`. */
export function findRegisteredAppHandler({ registered }: Dependencies): Handlers['findRegisteredApp'] {
  return async ({ clientId }, context) => {
    requireGateway(context);
    return { app: registeredAppToProto(await registered.find(clientId)) };
  };
}

function registeredAppToProto({
  createdAt,
  clientId,
  name,
  redirectUris,
}: RegisteredApp): MessageInitShape<typeof RegisteredAppSchema> {
  return { clientId, name, redirectUris, createdAt: timestampFromMs(createdAt) };
}
