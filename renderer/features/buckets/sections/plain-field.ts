/** Returns the props of a text field for a name or an address, which the browser must neither correct nor complete. */
export function plainField(label: string, value: string, onValue: (value: string) => void) {
  return {
    label,
    value,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      onValue(event.currentTarget.value);
    },
  };
}
