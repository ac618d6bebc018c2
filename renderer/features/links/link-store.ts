import type { ObjectRef } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const link = dialogStore<ObjectRef>();

/** Opens the dialog for a link to an object, or to one version of it; LinkDialogs renders it. */
export const openLink = link.open;
export const closeLink = link.close;
export const useOpenLink = link.useOpened;
