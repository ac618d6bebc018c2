export { pickLocal, pickManyLocal } from './pick.ts';
export { FilePicker } from './picker-dialog.tsx';
