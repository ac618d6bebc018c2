export { PropertiesDialogs } from './properties-dialogs.tsx';
export { openProperties, type PropertiesOf } from './properties-store.ts';
