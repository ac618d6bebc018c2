/** What is in an object. */
export const viewers = {
  title: 'Preview of {{name}}',
  previous: 'Previous object',
  next: 'Next object',
  loading: 'Loading the preview…',
  showAsText: 'Show as text',
  showAsItself: 'Back to the preview',
  download: 'Download',
  limit: {
    none: 'Cooper reads only the parts that you look at, and never runs anything in an object.',
    bytes: 'Cooper previews objects of this kind up to {{limit}} and never runs anything in them.',
  },
  tooLargeBody:
    'Cooper reads an object of this kind as a whole, up to {{limit}}. You can change the limit in Settings.',
  tooLargeFixedBody: 'Cooper reads an object of this kind as a whole, up to {{limit}}.',
  none: {
    'too-large': 'Too large for a preview',
    'unknown-type': 'No preview for this type of object',
    off: 'Previews are turned off',
    empty: 'This object is empty',
    archived: 'This object is archived',
  },
  noneBody: {
    'unknown-type': 'You can look at its bytes as text.',
    off: 'The limit for previews is 0. You can change it in Settings.',
    empty: 'It has 0 bytes.',
    archived: 'Restore it under Properties before you open it.',
  },
  image: {
    failed: 'This image cannot be shown',
    failedBody: 'The file may be damaged, or in a format that Cooper cannot show.',
  },
  text: {
    truncated: 'Cooper shows the first {{size}}.',
    notJson: 'This is not valid JSON. Cooper shows it as plain text.',
    pretty: 'Formatted',
    asIs: 'Original',
  },
  pdf: {
    page: 'Page {{page}} of {{pages}}',
    pageLabel: 'Page {{page}} of the document',
    previous: 'Previous page',
    next: 'Next page',
    failed: 'This PDF cannot be shown',
    failedBody: 'It may be damaged or password-protected.',
  },
} as const;
