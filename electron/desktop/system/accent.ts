import { nativeTheme, systemPreferences } from 'electron';
import { accentOf } from './accent-colour.ts';

/** The distributed notification that macOS sends for a new accent colour (NSColor.h). Electron has no event for it. */
const macMessage = 'AppleColorPreferencesChangedNotification';

/** Reports the system's accent colour now and after each change; null: none. Returns a function that stops it. */
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
    // The desktop has no accent colour, so Cooper's is used.
    return '';
  }
}
