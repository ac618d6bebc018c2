import type { FileEntry } from '../../../shared/models/files.ts';
import { rpc } from '../../rpc/client.ts';
import { openPicker } from './pick-store.ts';

/** Asks for a file or a folder: with the system's own dialog where the host has one, else with ours. null: closed. */
export async function pickLocal(kind: FileEntry['kind'], title: string): Promise<FileEntry | null> {
  const { hasNativeDialogs } = await rpc.app.info();
  if (!hasNativeDialogs) return openPicker(kind, title);
  const [first] = await rpc.files.pick({ kind, title: title.slice(0, 200), multiple: false });
  return first ?? null;
}
