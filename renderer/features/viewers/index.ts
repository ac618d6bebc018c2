export { Thumbnail } from './thumbnails/lazy-thumbnail.tsx';
export { askForThumbnails, thumbnailKind } from './thumbnails/ask-thumbnail.ts';
export { Look, PreviewDialog } from './lazy-views.tsx';
export type { PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './frame/viewer-services.ts';
