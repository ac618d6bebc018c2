import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LocalRoot } from '../../shared/models/files.ts';
import { orpc } from './client.ts';

/**
 * Returns a function for the name of a top-level folder on this computer. Standard folders are named by role, mounted disks by
 * their own name.
 */
export function useRootName(): (root: LocalRoot) => string {
  const { t } = useTranslation();
  return ({ role, name }) => (role === 'mount' ? name : t(`files.rootNames.${role}`));
}

/** Returns a function for the display name of a folder on this computer. Translates only names of top-level folders. */
export function useLocalName(): (folder: { readonly handle: string; readonly name: string }) => string {
  const nameOf = useRootName();
  const roots = useQuery(orpc.files.roots.queryOptions()).data;
  return ({ handle, name }) => {
    const root = roots?.find((candidate) => candidate.handle === handle);
    return root === undefined ? name : nameOf(root);
  };
}
