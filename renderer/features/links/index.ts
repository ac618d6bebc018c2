export { LinkDialogs } from './link-dialogs.tsx';
export { openLink } from './link-store.ts';
