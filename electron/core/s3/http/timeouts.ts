/** How long one try may wait for what. There is no limit on the whole: only on silence. */
export interface Timeouts {
  /** Until the socket is open, TLS included. */
  readonly connectMs: number;
  /** From the last byte sent to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two pieces of the answer's body. */
  readonly inactivityMs: number;
}

export const ordinaryTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  inactivityMs: 60_000,
};

/**
 * Assembling an object "may take several minutes" (specification, section 4.3), and some services say nothing, others
 * send white space, until it is done (arrow-rs-object-store#122). TCP keep-alive finds a dead peer long before this.
 */
export const completionTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 60 * 60_000,
  inactivityMs: 30 * 60_000,
};

/** Copies on the service's side and deletions of many keys answer late too. */
export const slowTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 10 * 60_000,
  inactivityMs: 10 * 60_000,
};

/** The most that an answer's XML may hold; a listing page of 1000 keys of 1024 bytes stays under 10 MiB. */
export const maxXmlBytes = 64 * 1024 * 1024;
