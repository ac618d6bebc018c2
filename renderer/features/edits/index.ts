export { openAndEdit } from './edits.ts';
export { textEdit } from './edits.ts';
export { useEditNotices } from './use-edit-notices.tsx';
