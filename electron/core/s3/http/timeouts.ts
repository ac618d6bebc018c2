/** Limits of one try. They limit the time without progress, not the total duration. */
export interface Timeouts {
  /** Limit for opening the socket, including TLS. */
  readonly connectMs: number;
  /** Limit from the last byte sent to the first byte of the response. */
  readonly firstByteMs: number;
  /** Limit between two chunks of the response body. */
  readonly inactivityMs: number;
}

export const ordinaryTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  inactivityMs: 60_000,
};

/**
 * Assembling an object "may take several minutes" (specification, section 4.3). Until then some services send nothing and others
 * white space (arrow-rs-object-store#122). TCP keep-alive detects a dead peer long before.
 */
export const completionTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 60 * 60_000,
  inactivityMs: 30 * 60_000,
};

/** Server-side copies and deletions of many keys also respond late. */
export const slowTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 10 * 60_000,
  inactivityMs: 10 * 60_000,
};

/** Maximum size of a response's XML. A listing page of 1000 keys of 1024 bytes stays under 10 MiB. */
export const maxXmlBytes = 64 * 1024 * 1024;
