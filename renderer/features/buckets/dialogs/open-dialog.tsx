import { assertNever } from '../../../../shared/assert-never.ts';
import { openReport } from '../../inventory/index.ts';
import { closeBucketDialog, type BucketDialog } from './bucket-dialog-store.ts';
import { CreateDialog } from './create-dialog.tsx';
import { RemoveBucketDialog } from './remove-bucket-dialog.tsx';
import { BucketSettingsDialog } from './bucket-settings-dialog.tsx';

export function OpenDialog({ dialog }: { readonly dialog: BucketDialog }) {
  switch (dialog.kind) {
    case 'create':
      return <CreateDialog connectionId={dialog.connectionId} onCreated={dialog.onCreated} />;
    case 'settings':
      return (
        <BucketSettingsDialog
          place={dialog.place}
          first={dialog.section ?? 'versioning'}
          onReport={(report) => {
            closeBucketDialog();
            openReport(report);
          }}
        />
      );
    case 'remove':
      return (
        <RemoveBucketDialog
          place={dialog.place}
          {...(dialog.onRemoved === undefined ? {} : { onRemoved: dialog.onRemoved })}
        />
      );
    default:
      return assertNever(dialog);
  }
}
