import { z } from 'zod';

/** What of the window is shown, and how wide; kept over a reload. */
export const layoutSchema = z.object({
  sidebarOpen: z.boolean(),
  sidebarPx: z.number().min(160).max(480),
  detailsOpen: z.boolean(),
  logOpen: z.boolean(),
  logPx: z.number().min(120).max(800),
});
export type Layout = z.infer<typeof layoutSchema>;

export const defaultLayout: Layout = {
  sidebarOpen: true,
  sidebarPx: 232,
  detailsOpen: true,
  logOpen: false,
  logPx: 280,
};

/** Below this width the sidebar and the details lie over the list instead of beside it. */
export const narrowWindow = '(max-width: 860px)';

/** Below this height the request log and the transfers take turns in one place, so that the folder keeps its rows. */
export const lowWindow = '(max-height: 780px)';
