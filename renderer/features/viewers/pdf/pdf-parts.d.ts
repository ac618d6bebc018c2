declare module 'virtual:pdf-parts' {
  /** The address of the folder with what pdf.js loads when a document needs it; it ends in `/`. */
  const address: string;
  export default address;
}
