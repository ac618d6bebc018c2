import type { ServiceOptions } from './options.ts';

/** Options that can be sent to another thread. */
export type WorkerServiceOptions = Omit<ServiceOptions, 'clock' | 'intercept' | 'logger'>;

/** A message from the service's thread to the thread that started it. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly endpoint: string; readonly port: number }
  | { readonly kind: 'failed'; readonly isFolderInUse: boolean; readonly message: string }
  | { readonly kind: 'samples'; readonly error: string | null }
  | { readonly kind: 'log'; readonly message: string; readonly fields: Readonly<Record<string, unknown>> };
