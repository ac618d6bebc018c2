import { dialogStore, type DialogProps } from '../../ui/dialog/define-dialog.tsx';

export type SettingsRequest =
  /** `section` is the section shown first, or null for the top. */
  { readonly kind: 'settings'; readonly section: 'about' | 'updates' | null } | { readonly kind: 'licences' };

/** The props of the settings, or of the licences that replace them. */
export type SettingsDialogProps<Kind extends SettingsRequest['kind']> = DialogProps<
  Extract<SettingsRequest, { kind: Kind }>
>;

export const settingsDialogs = dialogStore<SettingsRequest>();

/** Opens the settings, optionally at a section. `SettingsDialogs` renders them. */
export function openSettings(section: 'about' | 'updates' | null = null): void {
  settingsDialogs.open({ kind: 'settings', section });
}
