/** `write` if the request could have changed something, so that a lost response leaves its outcome unknown. */
export type Effect = 'read' | 'write';

/** The subject of a request. A 404 for an upload id means that the upload is gone, whatever its code (Ceph: NoSuchKey). */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';
