import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { createTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { authOptions, readAuthSettings } from './config.ts';
import { createAuthService } from './service.ts';

await runProcess(async () => {
  const settings = readAuthSettings();
  return serveService('auth', settings, (resources) => {
    const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock: resources.clock });
    return createAuthService({ ...resources, ...authOptions(settings), signer });
  });
});
