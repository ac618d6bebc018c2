/** Links to places that come from outside the program. */
export const s3Links = {
  title: 'Open this place?',
  body: 'A link asks Cooper to show a place in a bucket. Nothing has been asked of any service yet.',
  bucket: 'Bucket',
  prefix: 'Folder',
  top: 'The top of the bucket',
  twoReadings: 'The link can be read in two ways.',
  connection: 'With which connection',
  noConnection: 'You have no connection of your own yet. With the samples, only their buckets can be opened.',
  addConnection: 'Add a connection…',
  open: 'Open',
} as const;
