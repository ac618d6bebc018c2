/** What this feature needs of others; the application hands it in. */
export interface PropertyServices {
  readonly showJob: (jobId: string) => void;
}
