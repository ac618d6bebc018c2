import { dialog, Menu, nativeImage, Tray } from 'electron';
import { text } from '../../host/text.ts';

export interface BackgroundOptions {
  /** The path of the image for the notification area. */
  readonly icon: string;
  readonly activeJobs: () => number;
  /** Returns true if the setting lets transfers continue without a window. */
  readonly isEnabled: () => boolean;
  /** Returns true once the user has been informed that Cooper keeps running. */
  readonly isExplained: () => boolean;
  readonly onExplained: () => void;
  readonly showWindow: () => void;
  readonly quit: () => void;
  /** Quits without a confirmation, because the user has just chosen to quit. */
  readonly quitNow: () => void;
}

/** Keeps the program running without a window on systems without a dock, with an icon in the notification area. */
export interface Background {
  /** Called when the last window has closed. Returns true if the program keeps running for its transfers. */
  readonly stays: () => boolean;
  /** Shows the icon, after a start without a window. */
  show(): void;
  /** Removes the icon, because a window is open again. */
  readonly hide: () => void;
}

export function createBackground(options: BackgroundOptions): Background {
  let tray: Tray | null = null;

  const show = (): void => {
    if (tray !== null) return;
    tray = new Tray(nativeImage.createFromPath(options.icon));
    tray.setToolTip('Cooper');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: text('trayShow'), click: options.showWindow },
        { type: 'separator' },
        { label: text('menuExit'), click: options.quit },
      ]),
    );
    tray.on('click', options.showWindow);
  };
  const explain = async (): Promise<void> => {
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: text('backgroundTitle'),
      message: text('backgroundTitle'),
      detail: text('backgroundDetail'),
      buttons: [text('backgroundContinue'), text('quitLeave')],
      defaultId: 0,
      cancelId: 0,
    });
    options.onExplained();
    if (response === 1) options.quitNow();
  };

  return {
    stays: () => {
      if (options.activeJobs() === 0 || !options.isEnabled()) return false;
      show();
      if (!options.isExplained()) void explain();
      return true;
    },
    show,
    hide: () => {
      tray?.destroy();
      tray = null;
    },
  };
}
