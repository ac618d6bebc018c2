import type { ViewerProps } from '../frame/viewer.ts';
import { DocumentView } from './document-view.tsx';

export function XmlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="XML" />;
}
