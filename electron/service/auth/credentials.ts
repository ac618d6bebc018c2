/** A key pair that the service accepts. */
export interface ServiceCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token that requests must carry; absent for a permanent key. */
  readonly sessionToken?: string;
  /** The time from which the key is refused with ExpiredToken, in milliseconds since 1970. */
  readonly expiresAtMs?: number;
}
