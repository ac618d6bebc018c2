/** The time limits of one attempt. They limit the time without progress, not the total time. */
export interface Timeouts {
  /** The time limit for opening the socket, including TLS. */
  readonly connectMs: number;
  /** The time limit from the last byte sent to the first byte of the response. */
  readonly firstByteMs: number;
  /** The time limit between two chunks of the response body. */
  readonly inactivityMs: number;
}

export const ordinaryTimeouts: Timeouts = { connectMs: 10_000, firstByteMs: 60_000, inactivityMs: 60_000 };

/**
 * The limits for requests that assemble an object, which "may take several minutes" (specification, section 4.3). Meanwhile, some
 * services send nothing and others white space (arrow-rs-object-store#122). TCP keep-alive detects a dead connection much
 * earlier.
 */
export const completionTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 60 * 60_000,
  inactivityMs: 30 * 60_000,
};

/** The limits for copies on the service and for deleting many keys, which also respond late. */
export const slowTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 10 * 60_000,
  inactivityMs: 10 * 60_000,
};

/** The maximum size of XML in a response. A listing page with 1000 keys of 1024 bytes takes less than 10 MiB. */
export const maxXmlBytes = 64 * 1024 * 1024;
