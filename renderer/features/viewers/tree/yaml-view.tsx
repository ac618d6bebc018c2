import type { ViewerProps } from '../frame/viewer.ts';
import { DocumentView } from './document-view.tsx';
import { yamlTrees } from './yaml-tree.ts';

export function YamlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="YAML" read={yamlTrees} />;
}
