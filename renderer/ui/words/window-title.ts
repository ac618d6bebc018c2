import { create } from 'zustand';

const placeTitle = create<{ readonly title: string | null }>(() => ({ title: null }));

/** Sets the name of the current location, with which the window's title begins. Null without a location. */
export function setPlaceTitle(title: string | null): void {
  placeTitle.setState({ title });
}

export function usePlaceTitle(): string | null {
  return placeTitle(({ title }) => title);
}
