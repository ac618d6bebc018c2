export type { LinkedPlace } from './linked-place.ts';
export { S3LinkDialogs } from './s3-link-dialogs.tsx';
