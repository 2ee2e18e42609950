import type { AuthService, SignInAddress } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient, RecordOf } from './records.ts';
import { everyPage, given } from './rpc-calls.ts';

/** Which member of a team signs in with an address that the organisation's identity provider has verified. */
export interface SignInAddressRecord {
  /** In lower case, unique in the team. */
  address: string;
  /** Handle of the member. */
  member: string;
  created_at: string | null;
}

/** What administrators do with sign-in addresses. Every method throws RpcError. */
export interface SignInAddressMethods {
  /** Throws RpcError `already_exists` if the team has the address. */
  addSignInAddress(
    address: { team: string; address: string; member: string },
    options?: CallOptions,
  ): Promise<SignInAddressRecord>;
  /** Removes an address. Sessions that it opened go on. */
  removeSignInAddress(address: { team: string; address: string }, options?: CallOptions): Promise<void>;
  /** Yields the addresses of a team page by page, in their order. */
  listSignInAddresses(team: string, options?: CallOptions): AsyncGenerator<SignInAddressRecord[]>;
}

export function signInAddressMethods(auth: RecordClient<typeof AuthService>): SignInAddressMethods {
  return {
    async addSignInAddress({ team, address, member }, options) {
      const request = { teamSlug: team, address, memberHandle: member };
      return recordFrom(given((await auth.addSignInAddress(request, options)).sign_in_address));
    },
    async removeSignInAddress({ team, address }, options) {
      await auth.removeSignInAddress({ teamSlug: team, address }, options);
    },
    async *listSignInAddresses(team, options) {
      const pages = everyPage((pageToken) =>
        auth.listSignInAddresses({ teamSlug: team, pageSize: maxPageRows, pageToken }, options),
      );
      for await (const page of pages) yield page.sign_in_addresses.map(recordFrom);
    },
  };
}

function recordFrom({ address, member_handle: member, created_at }: RecordOf<SignInAddress>) {
  return { address, member, created_at };
}
