import { type AdminClient, createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { RunningService } from './running-service.ts';

/** Does one thing as an administrator of the running service. */
export async function asAdministrator<Result>(
  { rpcUrl, adminToken }: Pick<RunningService, 'rpcUrl' | 'adminToken'>,
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const admin = createAdminClient({ rpcUrl, token: adminToken });
  try {
    return await work(admin);
  } finally {
    admin.close();
  }
}
