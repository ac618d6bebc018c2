import { ColumnarView } from './columnar-view.tsx';
import { decoderWorker } from './decoder-worker.ts';
import type { ViewerProps } from '../frame/viewer.ts';

const choice = { format: 'parquet', sqlite: null, startWorker: decoderWorker } as const;

export function ParquetView({ file }: ViewerProps) {
  return <ColumnarView source={file.source} name={file.name} choice={choice} />;
}
