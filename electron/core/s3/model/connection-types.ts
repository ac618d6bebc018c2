import type { Encryption } from '../../../../shared/models/transfers.ts';

/** A customer-provided encryption key (SSE-C). Exists only in the core. */
export interface CustomerKey {
  /** 32 bytes, Base64. */
  readonly key: string;
  /** Base64 of the key's MD5: identifies a key without revealing it. */
  readonly md5: string;
}

/** Returns the stored keys used in a bucket or added for it. Called when a key is needed. */
export type CustomerKeySource = (bucket: string) => Promise<readonly CustomerKey[]>;

/** Returns a stored key by its MD5 and assigns it to the bucket; null if it is not stored. */
export type NamedCustomerKey = (md5: string, bucket: string) => Promise<CustomerKey | null>;

/** The address, credentials and options of one service. Built from a connection by core/connections. */
export interface EndpointConfig {
  /** An http(s) origin without a path, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** The region to sign for; null to detect it. */
  readonly region: string | null;
  readonly addressing: 'path' | 'virtual-host' | 'auto';
  /** null for anonymous access without signatures. Called before each try, so that temporary credentials can be refreshed. */
  readonly credentials: CredentialSource | null;
  /** PEM text of certificate authorities trusted in addition to the system's. */
  readonly caPem: string | null;
  /** An explicit proxy; null for the system's settings (environment), 'none' for a direct connection. */
  readonly proxyUrl: string | null;
  /** The preset the connection was made from ('aws', 'r2', …): one of shared/providers. */
  readonly provider: string;
  /** Sends x-amz-request-payer with every request. */
  readonly requesterPays?: boolean;
  /** The customer-provided encryption keys of a bucket. */
  readonly customerKeys?: CustomerKeySource;
  /** Returns the encryption of writes whose caller chooses none. Called for each write, since the user may change it. */
  readonly writeEncryption?: () => Encryption;
  /** If absent, the key is searched among those of the bucket. */
  readonly customerKeyNamed?: NamedCustomerKey;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs?: number;
}

/**
 * Returns credentials. `refresh`: true after the service reported expired ones. Throws AppError('auth-expired') if no newer ones
 * exist.
 */
export type CredentialSource = (options: { readonly refresh: boolean }) => Promise<Credentials>;
