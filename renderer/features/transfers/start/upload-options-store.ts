import { dialogStore } from '../../../ui/dialog/dialog-store.ts';
import type { TransferPlace, TransferServices } from './start-transfer.ts';

export interface UploadQuestion {
  readonly place: TransferPlace;
  readonly services: TransferServices;
}

const options = dialogStore<UploadQuestion>();

/** Asks how to upload into a folder, and what; UploadOptionsDialog renders it. */
export function openUploadOptions(place: TransferPlace, services: TransferServices): void {
  options.open({ place, services });
}

export const closeUploadOptions = options.close;

export function useUploadQuestion(): UploadQuestion | null {
  return options.useOpened(({ request }) => request);
}
