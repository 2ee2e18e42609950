/** A member as analytics needs to know it. */
export interface KnownMember {
  memberId: string;
  /** Whether the member administers the team. */
  isAdministrator: boolean;
}

/** Who is on a team; the auth service knows. */
export interface MemberDirectory {
  /**
   * The member with this handle, in any case. Throws AppError `unknown_member`
   * where the team has none, `unavailable` where it cannot be asked.
   */
  find(teamId: string, handle: string): Promise<KnownMember>;
}
