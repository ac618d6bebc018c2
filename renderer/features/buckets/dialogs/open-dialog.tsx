import { assertNever } from '../../../../shared/assert-never.ts';
import { closeBucketDialog, type BucketDialogServices, type BucketDialog } from './bucket-dialog-store.ts';
import { CreateDialog } from './create-dialog.tsx';
import { RemoveDialog } from './remove-bucket-dialog.tsx';
import { SettingsDialog } from './bucket-settings-dialog.tsx';

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
        <SettingsDialog
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
        <RemoveDialog
          place={dialog.place}
          showJob={services.showJob}
          {...(dialog.onRemoved === undefined ? {} : { onRemoved: dialog.onRemoved })}
        />
      );
    default:
      return assertNever(dialog);
  }
}
