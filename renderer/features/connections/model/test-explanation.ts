import type { EnglishMessages } from '../../../../shared/messages/english.ts';

/** Causes of failed steps. Each is a message key under connectionForm.causes for an explanation and a remedy. */
export type Cause = keyof EnglishMessages['connectionForm']['causes'];

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
