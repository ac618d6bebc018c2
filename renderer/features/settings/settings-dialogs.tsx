import type { SettingsSection } from './settings-section.ts';
import { lazy, memo, Suspense, useSyncExternalStore } from 'react';
import type { FileEntry } from '../../../shared/models/files.ts';

const SettingsDialog = lazy(async () => ({
  default: (await import('./settings-dialog.tsx')).SettingsDialog,
}));
const LicencesDialog = lazy(async () => ({
  default: (await import('./licences-dialog.tsx')).LicencesDialog,
}));

export type OpenSettings =
  | { readonly kind: 'closed' }
  /** `section`: where to begin; null: at the top. */
  | { readonly kind: 'settings'; readonly section: 'about' | 'updates' | null }
  | { readonly kind: 'licences' };

let current: OpenSettings = { kind: 'closed' };
const listeners = new Set<() => void>();

function set(next: OpenSettings): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Opens the settings, at a section where one is wanted; drawn by SettingsDialogs. */
export function openSettings(section: 'about' | 'updates' | null = null): void {
  set({ kind: 'settings', section });
}

const close = (): void => set({ kind: 'closed' });
const showLicences = (): void => set({ kind: 'licences' });
const backToAbout = (): void => openSettings('about');

/** Mounted once, by the application. */
export const SettingsDialogs = memo(function SettingsDialogs({
  sections,
  pickFolder,
}: {
  readonly sections: readonly SettingsSection[];
  /** null: closed. */
  readonly pickFolder: (title: string) => Promise<FileEntry | null>;
}) {
  const open = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  if (open.kind === 'closed') return null;
  return (
    <Suspense fallback={null}>
      {open.kind === 'settings' ? (
        <SettingsDialog
          section={open.section}
          others={sections}
          pickFolder={pickFolder}
          onClose={close}
          onLicences={showLicences}
        />
      ) : (
        <LicencesDialog onClose={backToAbout} />
      )}
    </Suspense>
  );
});
