export { LazyThumbnail } from './lazy-views.tsx';
export { askForThumbnails, thumbnailKind } from './lazy-views.tsx';
export { LazyLook, LazyPreviewDialog } from './lazy-views.tsx';
export type { PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './frame/viewer-services.ts';
