import { lazyPart } from '../../../ui/lazy-part.tsx';

/** The field that edits a row's name; its code loads on the first rename. */
export const LazyNameField = lazyPart(async () => (await import('./row-name-field.tsx')).RowNameField);
