import type { SettingsSection } from './settings-section.ts';
import { lazy, memo, Suspense } from 'react';
import type { FileEntry } from '../../../shared/models/files.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const SettingsDialog = lazy(async () => ({
  default: (await import('./settings-dialog.tsx')).SettingsDialog,
}));
const LicencesDialog = lazy(async () => ({
  default: (await import('./licences-dialog.tsx')).LicencesDialog,
}));

type SettingsRequest =
  /** `section` is the section shown first, or null for the top. */
  { readonly kind: 'settings'; readonly section: 'about' | 'updates' | null } | { readonly kind: 'licences' };

const settings = dialogStore<SettingsRequest>();

/** Opens the settings, optionally at a section. SettingsDialogs renders them. */
export function openSettings(section: 'about' | 'updates' | null = null): void {
  settings.open({ kind: 'settings', section });
}

const showLicences = (): void => settings.open({ kind: 'licences' });
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
  const { request } = settings.useOpened();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      {request.kind === 'settings' ? (
        <SettingsDialog
          section={request.section}
          others={sections}
          pickFolder={pickFolder}
          onClose={settings.close}
          onLicences={showLicences}
        />
      ) : (
        <LicencesDialog onClose={backToAbout} />
      )}
    </Suspense>
  );
});
