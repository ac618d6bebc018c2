import { base64Of } from './base64.ts';
import { rpc } from './client.ts';

/** Saves a text as a file. Resolves to false if the user closed the dialog. */
export async function saveText(fileName: string, text: string, type: string): Promise<boolean> {
  return await saveBlob(fileName, new Blob([text], { type }));
}

/** Saves bytes of any type as a file. Resolves to false if the user closed the dialog. */
export async function saveBytes(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return await saveBlob(fileName, new Blob([bytes], { type: 'application/octet-stream' }));
}

/**
 * Saves a blob, such as a picture, through the core if the host has native dialogs. Resolves once the file is on disk. Otherwise
 * starts a browser download, whose result the browser reports.
 */
export async function saveBlob(fileName: string, blob: Blob): Promise<boolean> {
  const { hasNativeDialogs } = await rpc.app.info();
  if (!hasNativeDialogs) {
    downloadBlob(fileName, blob);
    return true;
  }
  const contentBase64 = await base64Of(blob);
  return (await rpc.files.save({ fileName: fileName.slice(0, 255), contentBase64 })).isSaved;
}

function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  saveFrom(url, fileName);
  // Once started, the download holds its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Starts a browser download, which asks for a location or uses the downloads folder. */
export function saveFrom(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = fileName;
  link.click();
}
