/** The access key of the service that the benchmarks start. */
export const benchKeys = { accessKeyId: 'BENCHKEY', secretAccessKey: 'bench-secret' };
