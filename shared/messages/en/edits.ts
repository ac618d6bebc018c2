/** Objects that are open in another program. */
export const edits = {
  open: 'Open and edit',
  sent: '{{name}} was saved to the bucket',
  conflict: {
    title: '{{name}} has changed in the bucket',
    body: 'Someone else wrote it, or removed it, since you opened it. What you saved is in the copy on this computer, and the bucket holds the other one.',
    overwrite: 'Replace it with mine',
  },
  failed: {
    title: '{{name}} was not saved to the bucket',
    body: 'What you saved is in the copy on this computer, and is kept until it is sent. Saving again tries again.',
  },
  discard: 'Throw my copy away',
} as const;
