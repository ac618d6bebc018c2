import { create } from 'zustand';

const placeTitle = create<{ readonly title: string | null }>(() => ({ title: null }));

/** Sets the name of the current place, with which the window's title begins; null: no place. */
export function setPlaceTitle(title: string | null): void {
  placeTitle.setState({ title });
}

export function usePlaceTitle(): string | null {
  return placeTitle(({ title }) => title);
}
