import { lazyPart } from '../../../ui/lazy-part.tsx';

/** The field that edits the name of a row. Its code loads on the first rename. */
export const LazyNameField = lazyPart(async () => (await import('./row-name-field.tsx')).RowNameField);
