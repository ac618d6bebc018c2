import { assertNever } from '../../../../shared/assert-never.ts';
import { closeBucketDialog, type BucketDialogServices, type BucketDialog } from './bucket-dialog-store.ts';
import { CreateDialog } from './create-dialog.tsx';
import { RemoveBucketDialog } from './remove-bucket-dialog.tsx';
import { BucketSettingsDialog } from './bucket-settings-dialog.tsx';

interface Props {
  readonly dialog: BucketDialog;
  readonly services: BucketDialogServices;
}

export function OpenDialog({ dialog, services }: Props) {
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
            services.openReport(report);
          }}
        />
      );
    case 'remove':
      return (
        <RemoveBucketDialog
          place={dialog.place}
          showJob={services.showJob}
          {...(dialog.onRemoved === undefined ? {} : { onRemoved: dialog.onRemoved })}
        />
      );
    default:
      return assertNever(dialog);
  }
}
