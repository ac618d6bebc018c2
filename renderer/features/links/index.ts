export { LinkDialogs, openLink } from './link-dialogs.ts';
