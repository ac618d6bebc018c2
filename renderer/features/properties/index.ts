export { openProperties, PropertiesDialogs } from './properties-dialogs.ts';
export type { PropertiesOf } from './use-properties.ts';
