/** A team's item feed, and a position that it has reached: its newest one, or one behind it for a while. */
export interface FeedPlace {
  teamId: string;
  seq: number;
}

/** Where the item feeds of all teams are listed. */
export interface FeedList {
  /**
   * One page, behind the token of the page before; '' begins with the first, and
   * ends with the last.
   * @throws AppError `unavailable` when it is not answered in time; any error
   *   when the signal aborts.
   */
  page(token: string, signal: AbortSignal): Promise<{ feeds: readonly FeedPlace[]; nextToken: string }>;
}
