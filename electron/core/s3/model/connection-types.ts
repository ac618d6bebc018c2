import type { Encryption } from '../../../../shared/models/transfers.ts';

/** An encryption key that the user provides (SSE-C). It never leaves the core. */
export interface CustomerKey {
  /** The key: 32 bytes in Base64. */
  readonly key: string;
  /** The MD5 of the key in Base64, which identifies the key without revealing it. */
  readonly md5: string;
}

/** Returns the stored customer's keys that were used in a bucket or added for it. Called when a request may need a key. */
export type CustomerKeySource = (bucket: string) => Promise<readonly CustomerKey[]>;

/** Returns the stored customer's key with this MD5 and remembers that the bucket uses it; null if it is not stored. */
export type NamedCustomerKey = (md5: string, bucket: string) => Promise<CustomerKey | null>;

/** The address, credentials and options of a service, made from a connection by core/connections. */
export interface EndpointConfig {
  /** The address of the service without a path, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** The region to sign requests for; null to detect it. */
  readonly region: string | null;
  readonly addressing: 'path' | 'virtual-host' | 'auto';
  /**
   * Returns the credentials; null for anonymous access. Called before each attempt, so that temporary credentials can be
   * refreshed.
   */
  readonly credentials: CredentialSource | null;
  /** Certificates of authorities to trust in addition to the system's, as PEM; null for none. */
  readonly caPem: string | null;
  /** The address of a proxy; null for the environment's and system's settings, 'none' for a direct connection. */
  readonly proxyUrl: string | null;
  /** The provider in shared/providers from which the connection was made, such as 'aws' or 'r2'. */
  readonly provider: string;
  /** True if each request carries x-amz-request-payer. */
  readonly requesterPays?: boolean;
  /** Returns the customer's keys for a bucket. */
  readonly customerKeys?: CustomerKeySource;
  /** Returns the encryption for writes whose caller chooses none. Called for each write, because the user may change it. */
  readonly writeEncryption?: () => Encryption;
  /** Returns a customer's key by its MD5. If absent, only the keys of the bucket are searched. */
  readonly customerKeyNamed?: NamedCustomerKey;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** The time at which the credentials expire, in milliseconds since 1970. */
  readonly expiresAtMs?: number;
}

/** Returns true if both are the same keys: neither was renewed since the other. */
export function areSameKeys(left: Credentials, right: Credentials): boolean {
  return left.accessKeyId === right.accessKeyId && left.sessionToken === right.sessionToken;
}

/**
 * Returns credentials. `refresh` is true if the service reported the last ones as expired. Throws `AppError('auth-expired')` if
 * there are no newer ones.
 */
export type CredentialSource = (options: { readonly refresh: boolean }) => Promise<Credentials>;
