/** Who is on a team; the auth service knows. */
export interface MemberDirectory {
  /**
   * The id of the member with this handle, in any case. Throws AppError
   * `unknown_member` where the team has none, `unavailable` where it cannot be asked.
   */
  idOf(teamId: string, handle: string): Promise<string>;
}
