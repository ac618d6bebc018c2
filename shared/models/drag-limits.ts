/** Limits of what is fetched to be dragged out at once. The system's drag takes each file by its path. */
export const maxDraggedObjects = 200;
export const maxDraggedBytes = 10 * 1024 ** 3;
