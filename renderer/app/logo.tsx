/** Cooper's logo, a barrel. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <path
        d="M9 3h14c3.2 4 4.6 8.3 4.6 13S26.2 25 23 29H9C5.8 25 4.4 20.7 4.4 16S5.8 7 9 3z"
        fill="#c98a2b"
      />
      <path
        d="M13 3c-1.5 4-2.2 8.3-2.2 13s.7 9 2.2 13M19 3c1.5 4 2.2 8.3 2.2 13s-.7 9-2.2 13"
        fill="none"
        stroke="#8a5a13"
        strokeWidth="1.3"
      />
      <path d="M6.3 8.5h19.4M6.3 23.5h19.4" stroke="#4a555c" strokeWidth="2.6" />
    </svg>
  );
}
