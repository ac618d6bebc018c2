export { openAndEdit } from './open-and-edit.ts';
export { useEditNotices } from './use-edit-notices.tsx';
