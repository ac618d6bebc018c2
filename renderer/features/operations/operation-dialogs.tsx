import { lazy, memo, Suspense, useEffect } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import { isKeyboardNowhere } from '../../ui/keyboard/keyboard-place.ts';
import { closeOperation, useOpenOperation, type OperationDialog } from './operation-dialog-store.ts';
import type { OperationServices } from './operation-services.ts';

const NewFolderDialog = lazy(async () => ({
  default: (await import('./new-folder-dialog.tsx')).NewFolderDialog,
}));
const RenameDialog = lazy(async () => ({
  default: (await import('./rename-object-dialog.tsx')).RenameObjectDialog,
}));
const RenameManyDialog = lazy(async () => ({
  default: (await import('./rename-many-dialog.tsx')).RenameManyDialog,
}));
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));
const MoveDialog = lazy(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }));
const TransferTargetDialog = lazy(async () => ({
  default: (await import('./target-dialog.tsx')).TransferTargetDialog,
}));
const UploadTargetDialog = lazy(async () => ({
  default: (await import('./target-dialog.tsx')).UploadTargetDialog,
}));

interface Props {
  readonly services: OperationServices;
}

/** Renders the dialog that openOperation requested. Mounted once, by the application. */
export const OperationDialogs = memo(function OperationDialogs({ services }: Props) {
  const { request: dialog, serial } = useOpenOperation();
  const isOpen = dialog !== null;
  useEffect(() => {
    if (!isOpen) return undefined;
    // Focuses the list if the dialog has deleted the row that had focus.
    return () => {
      requestAnimationFrame(() => {
        if (isKeyboardNowhere()) services.focusList();
      });
    };
  }, [isOpen, services]);
  if (dialog === null) return null;
  return (
    <Suspense fallback={null}>
      <Dialog key={serial} dialog={dialog} services={services} />
    </Suspense>
  );
});

function Dialog({ dialog, services }: Props & { readonly dialog: OperationDialog }) {
  const shared = { services, onClose: closeOperation };
  switch (dialog.kind) {
    case 'new-folder':
      return <NewFolderDialog {...shared} place={dialog.place} />;
    case 'rename':
    case 'duplicate':
      return (
        <RenameDialog
          {...shared}
          place={dialog.place}
          row={dialog.row}
          wish={dialog.kind}
          typedName={dialog.kind === 'rename' ? dialog.newName : null}
        />
      );
    case 'rename-many':
      return <RenameManyDialog {...shared} place={dialog.place} rows={dialog.rows} />;
    case 'delete':
      return (
        <DeleteDialog
          {...shared}
          place={dialog.place}
          rows={dialog.rows}
          found={dialog.found ?? null}
          allVersions={dialog.allVersions}
        />
      );
    case 'move':
      return <MoveDialog {...shared} transfer={dialog.transfer} />;
    case 'target':
      return (
        <TransferTargetDialog {...shared} from={dialog.from} rows={dialog.rows} isMove={dialog.isMove} />
      );
    case 'upload-target':
      return <UploadTargetDialog {...shared} rows={dialog.rows} onChoose={dialog.onChoose} />;
    default:
      return assertNever(dialog);
  }
}
