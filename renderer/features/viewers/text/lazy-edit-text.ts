import { lazy } from 'react';

/** The editor of texts, loaded when somebody wants to write. */
export const EditText = lazy(async () => ({ default: (await import('./edit-text-view.tsx')).EditTextView }));
