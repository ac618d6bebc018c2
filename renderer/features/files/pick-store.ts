import type { FileEntry } from '../../../shared/models/files.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

export interface PickRequest {
  readonly kind: FileEntry['kind'];
  readonly title: string;
  readonly settle: (picked: FileEntry | null) => void;
}

export const picker = dialogStore<PickRequest>();

/**
 * Opens the picker for files or folders on this computer, and closes a picker that is open. Resolves to null if the user closes
 * it.
 */
export function openPicker(kind: FileEntry['kind'], title: string): Promise<FileEntry | null> {
  picker.current()?.settle(null);
  return new Promise((resolve) => {
    const request: PickRequest = {
      kind,
      title,
      settle(picked) {
        resolve(picked);
        if (picker.current() === request) picker.close();
      },
    };
    picker.open(request);
  });
}
