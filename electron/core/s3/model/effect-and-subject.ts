/** Whether the request could have changed something, and so whether a lost answer leaves a doubt. */
export type Effect = 'read' | 'write';

/** What a request named: a 404 about an upload id means that the upload is gone, whatever its code (Ceph: NoSuchKey). */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';
