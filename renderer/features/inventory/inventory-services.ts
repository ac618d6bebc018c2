/** The window's actions for reports. */
export interface InventoryServices {
  /** Shows the map of a folder. */
  readonly showMap: (place: {
    readonly connectionId: string;
    readonly bucket: string;
    readonly folder: string;
  }) => void;
}
