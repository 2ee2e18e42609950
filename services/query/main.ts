import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { createServiceToken, createTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { queryOptions, readQuerySettings } from './config.ts';
import { createQueryService } from './service.ts';

await runProcess(async () => {
  const settings = readQuerySettings();
  return serveService('query', settings, ({ transportTo, ...resources }) => {
    const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock: resources.clock });
    return createQueryService({
      ...resources,
      ...queryOptions(settings),
      contentTransport: transportTo(settings.CONTENT_URL),
      serviceToken: createServiceToken({ ...resources, signer, name: 'query', scopes: ['feed:read'] }),
    });
  });
});
