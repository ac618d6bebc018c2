export { openAndEdit } from './open-and-edit.ts';
export { textEdit } from './text-edit.ts';
export { useEditNotices } from './use-edit-notices.tsx';
