export { LazyThumbnail } from './thumbnails/lazy-thumbnail.tsx';
export { askForThumbnails, thumbnailKind } from './thumbnails/ask-thumbnail.ts';
export { LazyLook, LazyPreviewDialog } from './lazy-views.tsx';
export type { PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './frame/viewer-services.ts';
