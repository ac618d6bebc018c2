import { ColumnarView } from './columnar-view.tsx';
import type { ViewerProps } from '../frame/viewer.ts';

export function ArrowView({ file }: ViewerProps) {
  return <ColumnarView file={file} format="arrow" />;
}
