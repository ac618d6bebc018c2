import type { ViewerProps } from '../frame/viewer.ts';
import { DocumentView } from './document-view.tsx';

export function YamlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="YAML" />;
}
