import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { dialogStore } from '../../../ui/dialog/dialog-store.ts';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';

export type BucketDialog =
  | {
      readonly kind: 'create';
      /** null: the user chooses. */
      readonly connectionId: string | null;
      readonly onCreated: (place: Place) => void;
    }
  | { readonly kind: 'settings'; readonly place: Place; readonly section?: BucketSection }
  | { readonly kind: 'remove'; readonly place: Place; readonly onRemoved?: () => void };

const buckets = dialogStore<BucketDialog>();

/** Opens a dialog about buckets, which BucketDialogs renders. */
export function openBucketDialog(dialog: BucketDialog): void {
  if (dialog.kind === 'create') passKeysToNextField('dialog');
  buckets.open(dialog);
}

export const closeBucketDialog = buckets.close;
export const useBucketDialog = buckets.useOpened;
