declare module 'virtual:pdf-parts' {
  /** The address of the folder from which pdf.js loads parts on demand. It ends in `/`. */
  const address: string;
  export default address;
}
