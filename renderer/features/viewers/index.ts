export { Look } from './lazy-look.tsx';
export { PreviewDialog, type PreviewDialogProps } from './preview-dialog.tsx';
export { ViewerServicesProvider, type ViewerServices } from './services.ts';
