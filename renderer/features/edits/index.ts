export { openAndEdit, textEdit, type TextEdit } from './edits.ts';
export { useEditNotices } from './use-edit-notices.tsx';
