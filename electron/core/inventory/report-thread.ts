import { ObjectThread } from '../flow/worker-thread.ts';
import type { FileEnd, FileReadOptions, FileResponse, ReportFileCalls } from './rows/report-rows.ts';

/** A data file that the thread reads. */
export interface OpenReportFile {
  /** Transfers the bytes to the thread. The buffer is detached here. */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<FileResponse>;
  end(): Promise<FileEnd>;
  close(): Promise<void>;
}

/** The thread that decompresses and parses data files. It starts with the first file. */
export interface ReportThread {
  open(options: FileReadOptions): Promise<OpenReportFile>;
  close(): Promise<void>;
}

export function createReportThread(): ReportThread {
  const thread = new ObjectThread<ReportFileCalls>({
    url: new URL('./rows/inventory-report-worker.ts', import.meta.url),
    // The thread holds all rows of a Parquet row group at once.
    limits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    diedMessage: 'The thread that reads inventory reports ended unexpectedly.',
  });
  let nextFile = 1;
  return {
    open: async (options) => {
      const file = String(nextFile++);
      await thread.ask(file, 'open', options);
      let isOver = false;
      return {
        add: async (bytes) => await thread.ask(file, 'add', { bytes }),
        end: async () => {
          const end = await thread.ask(file, 'end', null);
          isOver = true;
          return end;
        },
        close: async () => {
          if (isOver || !thread.isRunning) return;
          isOver = true;
          await thread.ask(file, 'drop', null);
        },
      };
    },
    close: async () => await thread.close(),
  };
}
