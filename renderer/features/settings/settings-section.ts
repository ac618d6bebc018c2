import type { ReactNode } from 'react';
/** A section of the settings that another feature renders. `renderer/app` passes it in. */
export interface SettingsSection {
  readonly name: 'transfers' | 'updates';
  /** The content, rendered when the settings are open. The code it needs is loaded only then. */
  readonly content: ReactNode;
}
