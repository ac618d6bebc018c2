export { pickLocal } from './pick.ts';
export { FilePicker } from './picker-dialog.tsx';
