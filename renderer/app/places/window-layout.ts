import { z } from 'zod/mini';

/** The visible parts of the window and their widths, which are restored after a reload. */
export const layoutSchema = z.object({
  sidebarOpen: z.boolean(),
  sidebarPx: z.number().check(z.gte(160), z.lte(480)),
  detailsOpen: z.boolean(),
  logOpen: z.boolean(),
  logPx: z.number().check(z.gte(120), z.lte(800)),
});
export type Layout = z.infer<typeof layoutSchema>;

export const defaultLayout: Layout = {
  sidebarOpen: true,
  sidebarPx: 232,
  detailsOpen: true,
  logOpen: false,
  logPx: 280,
};

/** Below this width, the sidebar overlays the list, and neither the sidebar nor the details open by default. */
export const narrowWindow = '(max-width: 860px)';

/** Below this height, the request log and the transfers share the same space, so that the folder keeps its rows. */
export const lowWindow = '(max-height: 780px)';
