/** A key pair that the service accepts. */
export interface ServiceCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Requests have to carry this session token. Absent: the key is permanent. */
  readonly sessionToken?: string;
  /** Milliseconds since 1970, from which on the key is refused with ExpiredToken. */
  readonly expiresAtMs?: number;
}
