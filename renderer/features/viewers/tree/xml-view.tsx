import type { ViewerProps } from '../frame/viewer.ts';
import { DocumentView } from './document-view.tsx';
import { xmlTree } from './xml-tree.ts';

export function XmlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="XML" read={xmlTree} />;
}
