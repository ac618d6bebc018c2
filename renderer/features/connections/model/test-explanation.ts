/** Causes of failed steps. Each is a message key under connectionForm.causes for an explanation and a remedy. */
export type Cause =
  | 'endpoint-invalid'
  | 'proxy-invalid'
  | 'ca-unreadable'
  | 'settings'
  | 'profile-missing'
  | 'profile-unusable'
  | 'secret-missing'
  | 'region-invalid'
  | 'start-bucket'
  | 'dns'
  | 'refused'
  | 'refused-loopback'
  | 'unreachable'
  | 'connect-timeout'
  | 'port-other'
  | 'tls-untrusted'
  | 'tls-hostname'
  | 'tls-expired'
  | 'tls-protocol'
  | 'tls-other'
  | 'plain-http'
  | 'proxy-auth'
  | 'proxy-failed'
  | 'html'
  | 'not-http'
  | 'not-s3'
  | 'http-to-https'
  | 'silent'
  | 'reset'
  | 'clock-skew'
  | 'clock-skew-by'
  | 'key-unknown'
  | 'secret-wrong'
  | 'token-invalid'
  | 'token-expired'
  | 'profile-expired'
  | 'account-problem'
  | 'service-refused'
  | 'virtual-host-wanted'
  | 'anonymous-refused'
  | 'key-denied'
  | 'region-named'
  | 'region-unnamed'
  | 'redirect-refused'
  | 'list-denied'
  | 'list-denied-started'
  | 'bucket-denied'
  | 'bucket-missing'
  | 'rate-limited'
  | 'server'
  | 'unsupported'
  | 'other';

/** The fix that a button offers. */
export type Fix =
  | { readonly kind: 'use-region'; readonly region: string }
  | { readonly kind: 'add-ca' }
  | { readonly kind: 'set-start' }
  | { readonly kind: 'retype-keys' }
  | { readonly kind: 'check-endpoint' }
  | { readonly kind: 'check-proxy' };

interface SentenceValues {
  readonly host: string;
  readonly port: string;
  readonly endpoint: string;
  /** The region that the service named. */
  readonly region: string;
  readonly usedRegion: string;
  readonly accessKeyId: string;
  readonly profile: string;
  readonly bucket: string;
  /** The service's message, or else its error code. */
  readonly sentence: string;
}

export interface Explanation {
  readonly cause: Cause;
  readonly fix: Fix | null;
  /** The values to insert into the sentence. */
  readonly values: SentenceValues;
}
