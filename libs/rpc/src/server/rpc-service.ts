import type { DescService } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AppError } from '@teammemory/errors/app-error.ts';
import type { LookUpCredential } from '../auth/authenticate.ts';

/** A service's interface together with what answers it, ready to be served or called directly. */
export interface RpcService {
  descriptor: DescService;
  implementation: Partial<ServiceImpl<DescService>>;
  /** Whom a caller token must name as its audience: `content`, `auth`, `analytics` or `query`. */
  audience: string;
  /** Throws while no call may be answered but those of backup and restore. */
  assertOpen?: () => void;
  /** Is told of calls that failed, to note those that were not allowed. */
  onRefused?: OnRefused;
  /** Says what the credential of a caller is worth now, for methods that ask it again. */
  lookUpCredential?: LookUpCredential;
}

/** Gets the name of a method, why a call of it failed, and the call. */
export type OnRefused = (
  method: string,
  error: AppError,
  context: Pick<HandlerContext, 'values' | 'requestHeader'>,
) => void;

/** A service of this process, assembled and open. */
export interface ServiceInstance {
  /** The interface with its handlers, to be served or called directly. */
  rpc: RpcService;
  /** Resolves when the service can work, else throws AppError `unavailable`. */
  ready(): Promise<void>;
  /** Ends what is under way and closes the stores. To be called once, after the last call. */
  close(): Promise<void>;
}

/**
 * Joins a generated interface with its handlers. The audience is the service's
 * part of the package name, `content` for `teammemory.content.v1`. Methods
 * without a handler answer `unimplemented`.
 */
export function rpcService<Service extends DescService>(
  descriptor: Service,
  implementation: Partial<ServiceImpl<Service>>,
  also: Pick<RpcService, 'assertOpen' | 'onRefused' | 'lookUpCredential'> = {},
): RpcService {
  const audience = descriptor.typeName.split('.')[1] ?? descriptor.typeName;
  return {
    descriptor,
    implementation: implementation as Partial<ServiceImpl<DescService>>,
    audience,
    ...also,
  };
}
