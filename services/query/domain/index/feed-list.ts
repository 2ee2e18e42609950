/** A team, and a number that rises with every change of its lists, shortly after it. */
export interface FeedPlace {
  teamId: string;
  seq: number;
}

/** Where all teams are listed. */
export interface FeedList {
  /**
   * One page, behind the token of the page before; '' begins with the first, and
   * ends with the last.
   * @throws AppError `unavailable` when it is not answered in time; any error
   *   when the signal aborts.
   */
  page(token: string, signal: AbortSignal): Promise<{ feeds: readonly FeedPlace[]; nextToken: string }>;
}
