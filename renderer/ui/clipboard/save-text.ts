/** Hands a text to the browser, or to the desktop's own dialog, to be saved. */
export function saveText(fileName: string, text: string, type: string): void {
  saveBlob(fileName, new Blob([text], { type }));
}

/** Hands bytes to the browser, or to the desktop's own dialog, to be saved: as bytes, whatever they are of. */
export function saveBytes(fileName: string, bytes: Uint8Array<ArrayBuffer>): void {
  saveBlob(fileName, new Blob([bytes], { type: 'application/octet-stream' }));
}

/** The same of any content, such as a picture. */
export function saveBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The browser fetches it and asks where to, or puts it among the downloads. */
export function saveFrom(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = fileName;
  link.click();
}
