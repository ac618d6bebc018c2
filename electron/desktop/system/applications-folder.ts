import { existsSync, writeFileSync } from 'node:fs';
import { app, dialog } from 'electron';
import { detailOf } from '../../host/problem.ts';
import { text } from '../../host/text.ts';

/**
 * Offers once to move the program to Applications if macOS started it from another place, such as a disk image. From such a place
 * it could not update itself, and links would stop working after the image is ejected. Returns true if it moved the program; this
 * process then ends.
 */
export async function offerApplicationsFolder(declinedFile: string): Promise<boolean> {
  if (process.platform !== 'darwin' || !app.isPackaged) return false;
  if (app.isInApplicationsFolder() || existsSync(declinedFile)) return false;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: text('moveTitle'),
    detail: text('moveDetail'),
    buttons: [text('moveNow'), text('moveLater')],
    defaultId: 0,
    cancelId: 1,
  });
  if (response !== 0) {
    writeFileSync(declinedFile, '', { mode: 0o600 });
    return false;
  }
  try {
    return app.moveToApplicationsFolder();
  } catch (thrown) {
    dialog.showErrorBox(text('moveFailed'), detailOf(thrown));
    return false;
  }
}
