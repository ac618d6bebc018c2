export { copyMarked, cutMarked, pasteMarked } from './actions.ts';
export type { Chosen, OperationPlace } from './chosen.ts';
export { forgetCut, useCutKeys } from './clipboard.ts';
export { openOperation } from './operation-dialog-store.ts';
export { DragHint } from './drag-hint.tsx';
export { beginDrag, beginFileDrag, useDragTargets, type Drop } from './drag.ts';
export { OperationDialogs } from './operation-dialogs.tsx';
export type { OperationServices } from './operation-services.ts';
export { beginTransfer } from './start-operation.ts';
