import type { ReactNode } from 'react';
/** A section of the settings that another feature renders. `renderer/app` passes it in. */
export interface SettingsSection {
  readonly name: 'transfers' | 'updates';
  /** Rendered when the settings are open; code that it needs is loaded only then. */
  readonly content: ReactNode;
}
