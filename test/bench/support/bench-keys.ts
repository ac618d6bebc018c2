/** The keys of the service that the benches start. */
export const benchKeys = { accessKeyId: 'BENCHKEY', secretAccessKey: 'bench-secret' };
