import type { Connection } from '../../../shared/models/connection.ts';
import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { ChosenForBatch } from './batch-form.ts';

export type { ChosenForBatch } from './batch-form.ts';

/** The dialog for a batch job on the selected objects. */
export const { open: openBatch, Mounted: BatchDialogs } = defineDialog<ChosenForBatch>(
  async () => (await import('./batch-dialog.tsx')).BatchDialog,
);

/**
 * Returns a function that returns true if the provider of a connection runs jobs itself (S3 Batch Operations). Loads the list of
 * providers, which the window's first render does not need.
 */
export async function loadBatchOffers(): Promise<
  (connection: Pick<Connection, 'provider' | 'endpoint'>) => boolean
> {
  const { quirksFor } = await import('../../../shared/providers/providers.ts');
  return ({ provider, endpoint }) =>
    quirksFor(provider, URL.parse(endpoint)?.hostname ?? '').controlHost !== null;
}
