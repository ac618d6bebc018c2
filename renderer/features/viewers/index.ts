export { PreviewDialog, type PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './services.ts';
