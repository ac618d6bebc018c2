import type { ObjectRef } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const link = dialogStore<ObjectRef>();

/** Offers a link to an object, or to one version of it; drawn by LinkDialogs. */
export const openLink = link.open;
export const closeLink = link.close;
export const useOpenLink = link.useOpened;
