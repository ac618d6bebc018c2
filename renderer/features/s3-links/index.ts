export { S3LinkDialogs, type LinkedPlace } from './s3-link-dialogs.tsx';
