import { lazy } from 'react';

/** The text editor, loaded on first use. */
export const EditText = lazy(async () => ({ default: (await import('./edit-text-view.tsx')).EditTextView }));
