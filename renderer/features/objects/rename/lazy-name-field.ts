import { lazyPart } from '../../../ui/lazy-part.tsx';

/** The field for a row's name: loaded with the first renaming. */
export const LazyNameField = lazyPart(async () => (await import('./row-name-field.tsx')).RowNameField);
