import type { FileEntry } from '../../../shared/models/files.ts';
import { dialogStore } from '../../ui/dialog/define-dialog.tsx';
import { rpc } from '../../rpc/client.ts';

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
function openPicker(kind: FileEntry['kind'], title: string): Promise<FileEntry | null> {
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

/** Asks for several files or folders. The app's own picker, unlike the system's, accepts only one. Returns [] if closed. */
export async function pickManyLocal(kind: FileEntry['kind'], title: string): Promise<readonly FileEntry[]> {
  const { hasNativeDialogs } = await rpc.app.info();
  if (hasNativeDialogs) return await rpc.files.pick({ kind, title: title.slice(0, 200), multiple: true });
  const picked = await openPicker(kind, title);
  return picked === null ? [] : [picked];
}

/** Asks for a file or folder with the system's dialog if available, otherwise with the app's picker. Returns null if closed. */
export async function pickLocal(kind: FileEntry['kind'], title: string): Promise<FileEntry | null> {
  const { hasNativeDialogs } = await rpc.app.info();
  if (!hasNativeDialogs) return openPicker(kind, title);
  const [first] = await rpc.files.pick({ kind, title: title.slice(0, 200), multiple: false });
  return first ?? null;
}
