/** What any call of a client takes besides its arguments. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
}
