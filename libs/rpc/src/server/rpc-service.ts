import type { DescService } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';

/** A service's interface together with what answers it, ready to be served or called directly. */
export interface RpcService {
  descriptor: DescService;
  implementation: Partial<ServiceImpl<DescService>>;
  /** Whom a caller token must name as its audience: `content`, `auth`, `analytics` or `query`. */
  audience: string;
}

/**
 * Joins a generated interface with its handlers. The audience is the service's
 * part of the package name, `content` for `teammemory.content.v1`. Methods
 * without a handler answer `unimplemented`.
 */
export function rpcService<Service extends DescService>(
  descriptor: Service,
  implementation: Partial<ServiceImpl<Service>>,
): RpcService {
  const audience = descriptor.typeName.split('.')[1] ?? descriptor.typeName;
  return {
    descriptor,
    implementation: implementation as Partial<ServiceImpl<DescService>>,
    audience,
  };
}
