/** Objects that are open in another program. */
export const edits = {
  open: 'Open and edit',
  sent: 'Saved {{name}} to the bucket',
  conflict: {
    title: '{{name}} has changed in the bucket',
    body: 'Someone else changed or deleted it after you opened it. Your version is in the copy on this computer; the bucket has the other one.',
    overwrite: 'Replace with mine',
  },
  failed: {
    title: '{{name}} was not saved to the bucket',
    body: 'Your version is in the copy on this computer. Cooper keeps it until it is uploaded. Save again to retry.',
  },
  discard: 'Discard my copy',
} as const;
