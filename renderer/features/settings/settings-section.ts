import type { ReactNode } from 'react';
/** A part of the settings that belongs to another feature; the application hands it in. */
export interface SettingsSection {
  readonly name: 'transfers' | 'updates';
  /** Drawn when the settings are open; what is heavy in it is loaded then. */
  readonly content: ReactNode;
}
