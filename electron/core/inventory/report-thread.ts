import { AppFailure, failure } from '../../../shared/errors.ts';
import { WorkerThread } from '../flow/worker-thread.ts';
import type {
  FileResponse,
  FileEnd,
  FileReadOptions,
  ReportResponse,
  ReportQuestion,
} from './rows/report-messages.ts';

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

/** The heap limits of the thread. It holds all rows of a Parquet row group at once. */
const threadLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };
const workerUrl = new URL('./rows/inventory-report-worker.ts', import.meta.url);

export function createReportThread(): ReportThread {
  let thread: WorkerThread<ReportQuestion, ReportResponse> | null = null;
  let nextId = 1;
  let nextFile = 1;
  let isClosed = false;

  const ask = async (
    question: ReportQuestion,
    given: readonly ArrayBuffer[] = [],
  ): Promise<Exclude<ReportResponse, { kind: 'failed' }>> => {
    if (isClosed) throw failure('cancelled', 'Cooper is quitting.');
    thread ??= new WorkerThread<ReportQuestion, ReportResponse>({
      url: workerUrl,
      limits: threadLimits,
      diedMessage: 'The thread that reads inventory reports ended unexpectedly.',
      onDeath: () => {
        thread = null;
      },
    });
    const response = await thread.ask(question, given);
    if (response.kind === 'failed') throw new AppFailure(response.error);
    return response;
  };
  const newId = (): number => nextId++;

  return {
    open: async (options) => {
      const file = nextFile++;
      await ask({ id: newId(), kind: 'open', file, options });
      let isOver = false;
      return {
        add: async (bytes) => {
          const response = await ask({ id: newId(), kind: 'bytes', file, bytes }, [bytes.buffer]);
          if (response.kind !== 'rows') throw unexpected();
          return response;
        },
        end: async () => {
          const response = await ask({ id: newId(), kind: 'end', file });
          if (response.kind !== 'ended') throw unexpected();
          isOver = true;
          return response;
        },
        close: async () => {
          if (isOver || isClosed || thread === null) return;
          isOver = true;
          await ask({ id: newId(), kind: 'drop', file });
        },
      };
    },
    close: async () => {
      isClosed = true;
      await thread?.end(failure('cancelled', 'Cooper is quitting.'));
    },
  };
}

function unexpected(): Error {
  return new Error('The thread that reads reports returned the result of another request.');
}
