/** Links to places that come from outside the program. */
export const s3Links = {
  title: 'Open this place?',
  body: 'A link asks Cooper to show a place in a bucket. Cooper has not contacted any service yet.',
  bucket: 'Bucket',
  prefix: 'Folder',
  top: 'The top of the bucket',
  twoReadings: 'This link has two possible meanings.',
  connection: 'Connection',
  noConnection: 'You have not added a connection yet. The sample connection opens only sample buckets.',
  addConnection: 'Add a connection…',
  open: 'Open',
} as const;
