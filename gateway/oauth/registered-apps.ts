import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService, RegisteredApp } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Callers } from '../caller.ts';
import { type CallOrigin, originHeaders } from '../clients.ts';
import type { ClientDocument } from './client-documents.ts';

const callTimeoutMs = 10_000;

/** An app that registered itself, and since when it is known. */
export interface NewApp extends ClientDocument {
  /** Seconds since the epoch, as RFC 7591 counts. */
  issuedAt: number;
}

/** Apps that registered themselves, at the auth service. Every method throws AppError `unavailable`. */
export interface RegisteredApps {
  register(app: { name: string; redirectUris: string[] }, origin: CallOrigin): Promise<NewApp>;
  /** @throws AppError `invalid_request`, a sentence for people. */
  find(clientId: string, origin: CallOrigin): Promise<ClientDocument>;
}

export function createRegisteredApps({
  auth,
  callers,
}: {
  auth: Client<typeof AuthService>;
  callers: Callers;
}): RegisteredApps {
  const options = async (origin: CallOrigin) => {
    const token = await callers.gatewayTokenFor('auth');
    return {
      timeoutMs: callTimeoutMs,
      headers: { authorization: `Bearer ${token}`, ...originHeaders(origin) },
    };
  };

  return {
    async register(wanted, origin) {
      const { app } = await auth.registerApp(wanted, await options(origin));
      const issuedAt = app?.createdAt === undefined ? 0 : Math.floor(timestampMs(app.createdAt) / 1000);
      return { ...clientFrom(app), issuedAt };
    },

    async find(clientId, origin) {
      try {
        return clientFrom((await auth.findRegisteredApp({ clientId }, await options(origin))).app);
      } catch (cause) {
        if (!(cause instanceof AppError) || cause.code !== 'not_found') throw cause;
        throw new AppError(
          'invalid_request',
          'The app is not registered here any more. Make it forget this service, then connect it again.',
          { cause },
        );
      }
    },
  };
}

/** Whether a client id is one that registration gives: the address of no document is. */
export function isRegisteredId(clientId: string): boolean {
  return /^registered-[0-9A-Za-z]{24}$/.test(clientId);
}

function clientFrom(app: RegisteredApp | undefined): ClientDocument {
  const { clientId = '', name = '', redirectUris = [] } = app ?? {};
  return { clientId, host: null, name: name || undefined, redirectUris };
}
