export { Look, PreviewDialog } from './lazy-views.tsx';
export type { PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './frame/services.ts';
