/** A key of the user's own, by which the service encrypts (SSE-C). Lives in the core only. */
export interface CustomerKey {
  /** 32 bytes in Base64. */
  readonly key: string;
  /** Base64 of the key's MD5: identifies a key without revealing it. */
  readonly md5: string;
}

/** The kept keys that were used in a bucket or added for it; asked for when one is needed. */
export type CustomerKeySource = (bucket: string) => Promise<readonly CustomerKey[]>;

/** A kept key by its digest, which belongs to the bucket from now on; null where it is not kept. */
export type NamedCustomerKey = (md5: string, bucket: string) => Promise<CustomerKey | null>;

/** The address, credentials and options of one service. Built from a connection by core/connections. */
export interface EndpointConfig {
  /** An http(s) origin without a path, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** The region to sign for; null when it has to be found out. */
  readonly region: string | null;
  readonly addressing: 'path' | 'virtual-host' | 'auto';
  /** null: anonymous, nothing is signed. Asked for before each try, so that temporary keys can be refreshed. */
  readonly credentials: CredentialSource | null;
  /** PEM text of certificate authorities trusted in addition to the system's. */
  readonly caPem: string | null;
  /** An explicit proxy; null for the system's settings (environment), 'none' for a direct connection. */
  readonly proxyUrl: string | null;
  /** The preset the connection was made from ('aws', 'r2', …): one of shared/providers. */
  readonly provider: string;
  /** Every request says that its sender pays for it. */
  readonly requesterPays?: boolean;
  /** The keys of objects that the service encrypts with keys of the user's own. */
  readonly customerKeys?: CustomerKeySource;
  /** Absent: looked for among the keys of the bucket. */
  readonly customerKeyNamed?: NamedCustomerKey;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs?: number;
}

/** `refresh`: true after the service said that the keys have expired. Throws AppFailure auth-expired when there are no newer ones. */
export type CredentialSource = (options: { readonly refresh: boolean }) => Promise<Credentials>;
