export {
  askForThumbnails,
  LazyLook,
  LazyPreviewDialog,
  LazyThumbnail,
  thumbnailKind,
} from './lazy-views.tsx';
export type { PreviewDialogProps } from './preview-dialog.tsx';
