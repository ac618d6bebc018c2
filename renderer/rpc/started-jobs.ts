const maxKept = 1000;
const started = new Set<string>();

/** Remembers the job ids in a reply of the core. Calls that start jobs get the jobs' ids in the reply. */
export function rememberStarted(reply: unknown): void {
  if (typeof reply !== 'object' || reply === null) return;
  if ('jobId' in reply && typeof reply.jobId === 'string') started.add(reply.jobId);
  if ('jobIds' in reply && Array.isArray(reply.jobIds))
    for (const jobId of reply.jobIds) if (typeof jobId === 'string') started.add(jobId);
  for (const oldest of started) {
    if (started.size <= maxKept) break;
    started.delete(oldest);
  }
}

/** Returns true if this window has started the job since it was loaded. */
export function isStartedHere(jobId: string): boolean {
  return started.has(jobId);
}
