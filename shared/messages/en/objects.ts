/** Browsing: folders, objects, details and previews. */
export const objects = {
  placeholder: 'x',
} as const;
