import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { dialogStore, type DialogProps } from '../../../ui/dialog/define-dialog.tsx';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';

export type BucketDialog =
  | {
      readonly kind: 'create';
      /** Null lets the user choose. */
      readonly connectionId: string | null;
      readonly onCreated: (place: Place) => void;
    }
  | { readonly kind: 'settings'; readonly place: Place; readonly section?: BucketSection }
  | { readonly kind: 'remove'; readonly place: Place; readonly onRemoved?: () => void };

/** The props of one kind of dialog about buckets. */
export type BucketDialogProps<Kind extends BucketDialog['kind']> = DialogProps<
  Extract<BucketDialog, { kind: Kind }>
>;

export const bucketDialogs = dialogStore<BucketDialog>();

/** Opens a dialog about buckets, which `BucketDialogs` renders. */
export function openBucketDialog(dialog: BucketDialog): void {
  if (dialog.kind === 'create') passKeysToNextField('dialog');
  bucketDialogs.open(dialog);
}

export const closeBucketDialog = bucketDialogs.close;
