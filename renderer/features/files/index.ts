export { pickLocal, pickManyLocal } from './pick.ts';
export { FilePicker } from './file-picker.tsx';
export { LocalSidebar } from './local-sidebar.tsx';
