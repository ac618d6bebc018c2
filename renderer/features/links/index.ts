import type { ObjectRef } from '../../../shared/models/objects.ts';
import { defineDialog } from '../../ui/dialog/define-dialog.tsx';

/** The dialog for a link to an object, or to one version of it. */
export const { open: openLink, Mounted: LinkDialogs } = defineDialog<ObjectRef>(
  async () => (await import('./link-dialog.tsx')).LinkDialog,
);
