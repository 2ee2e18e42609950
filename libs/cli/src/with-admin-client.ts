import { type AdminClient, createAdminClient } from '@teammemory/client/admin-client.ts';
import { loadAdminCredential } from './admin-credential.ts';
import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';

/** Runs `work` with an administrator's client and closes it afterwards. */
export async function withAdminClient<Result>(
  context: CliContext,
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const credential = await loadAdminCredential(context);
  const admin = open(credential);
  try {
    return await work(admin);
  } finally {
    admin.close();
  }
}

function open(credential: { rpcUrl: string; token: string }): AdminClient {
  try {
    return createAdminClient(credential);
  } catch (thrown) {
    throw thrown instanceof TypeError
      ? usageError(`The admin credential is malformed: ${thrown.message}`)
      : thrown;
  }
}
