/** The effect of a request. After a lost response, the outcome of a `write` is unknown. */
export type Effect = 'read' | 'write';

/**
 * The resource that a request is about. For an `upload`, a 404 with any code means that the upload no longer exists (Ceph sends
 * NoSuchKey).
 */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';
