import { nativeTheme, systemPreferences } from 'electron';
import { accentOf } from './appearance.ts';

/** The distributed notification that macOS sends when the accent colour changes (NSColor.h). Electron has no event for it. */
const macMessage = 'AppleColorPreferencesChangedNotification';

/** Reports the system's accent colour now and after each change; null if it has none. Returns a function that stops this. */
export function followAccent(tell: (accent: string | null) => void): () => void {
  let lastColour: string | null = null;
  const look = (): void => {
    const accent = accentOf(read());
    if (accent === lastColour) return;
    lastColour = accent;
    tell(accent);
  };
  systemPreferences.on('accent-color-changed', look);
  nativeTheme.on('updated', look);
  const subscription =
    process.platform === 'darwin' ? systemPreferences.subscribeNotification(macMessage, look) : null;
  look();
  return () => {
    systemPreferences.off('accent-color-changed', look);
    nativeTheme.off('updated', look);
    if (subscription !== null) systemPreferences.unsubscribeNotification(subscription);
  };
}

function read(): string {
  try {
    return systemPreferences.getAccentColor();
  } catch {
    // The desktop has no accent colour, so Cooper's own is used.
    return '';
  }
}
