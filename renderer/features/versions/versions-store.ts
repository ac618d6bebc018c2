import type { ObjectRef } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const versions = dialogStore<ObjectRef>();

/** Opens all versions of one object; VersionsDialogs renders them. */
export const openVersions = versions.open;
export const closeVersions = versions.close;
export const useOpenVersions = versions.useOpened;
