/** Functions of other features, passed in by the application. */
export interface PropertyServices {
  readonly showJob: (jobId: string) => void;
  /** Shows the price list of a connection. */
  readonly showPrices: (connectionId: string) => void;
}
