/** A red JPEG 2000 image of 16 by 16 pixels. */
const redJpeg2000 = Buffer.from(
  '/0//UQAvAAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEABAQEAAH/XAAQQEBISFBISFBISFBISFD/' +
    'kAAKAAAAAAApAAH/k8+0CARPz7QICJ/PtAgIn4CAgICAgICAgICAgP/Z',
  'base64',
);
/** A black JBIG2 image of 16 by 16 pixels: only a page information segment, with black as default (T.88, 7.4.8). */
const blackJbig2 = Buffer.from('000000003000010000001300000010000000100000000000000000040000', 'hex');
/** `日本` in Shift_JIS. */
const shiftJis = '93fa967b';

const image = (filter: string, color: string, bytes: Buffer): string =>
  `<< /Type /XObject /Subtype /Image /Width 16 /Height 16 ${color} /Filter /${filter} /Length ${String(bytes.length)} >>\nstream\n${bytes.toString('latin1')}\nendstream`;
const content = (text: string): string => `<< /Length ${String(text.length)} >>\nstream\n${text}\nendstream`;
const page = (resources: string, contents: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << ${resources} >> /Contents ${String(contents)} 0 R >>`;

/**
 * Builds a PDF whose pages each need an extra component of pdf.js: a JPEG 2000 image, a JBIG2 image, text in a predefined
 * Japanese encoding, and finally a damaged image.
 */
export function pdfOfPictures(): Buffer {
  const gray = '/ColorSpace /DeviceGray /BitsPerComponent 1';
  const draws = 'q 200 0 0 200 0 0 cm /Im Do Q';
  const writes = `BT /F1 40 Tf 20 80 Td <${shiftJis}> Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R 6 0 R] /Count 4 >>',
    page('/XObject << /Im 9 0 R >>', 7),
    page('/XObject << /Im 10 0 R >>', 7),
    page('/Font << /F1 12 0 R >>', 8),
    page('/XObject << /Im 11 0 R >>', 7),
    content(draws),
    content(writes),
    image('JPXDecode', '/ColorSpace /DeviceRGB', redJpeg2000),
    image('JBIG2Decode', gray, blackJbig2),
    image('JPXDecode', '/ColorSpace /DeviceRGB', redJpeg2000.subarray(0, 40)),
    '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [13 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 14 0 R >>',
    '<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
  return fileOf(objects);
}

function fileOf(objects: readonly string[]): Buffer {
  const body = objects.map((object, index) => `${String(index + 1)} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(
    `%PDF-1.7\n${body}trailer\n<< /Size ${String(objects.length + 1)} /Root 1 0 R >>\n%%EOF\n`,
    'latin1',
  );
}

/** Returns an appearance stream that fills an annotation with a color. */
function appearance(color: string): string {
  return `<< /Type /XObject /Subtype /Form /BBox [0 0 200 100] /Length 25 >>\nstream\n${color} rg 0 0 200 100 re f\nendstream`;
}

/**
 * Builds a PDF whose page contains nothing but annotations: a field that was filled in with red on its upper half, and a blue
 * stamp on its lower half, with a script that runs when the field changes.
 */
export function pdfOfAnnotations(): Buffer {
  const script = '<< /S /JavaScript /JS (globalThis.ranFromObject = true;) >>';
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [4 0 R 5 0 R] >>',
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /F 4 /Rect [0 100 200 200] /AP << /N 6 0 R >> /AA << /K ${script} >> >>`,
    '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 200 100] /AP << /N 7 0 R >> >>',
    appearance('1 0 0'),
    appearance('0 0 1'),
  ]);
}

/**
 * Builds a page with notes and attached files that have no appearance, one of them hidden, a filled rectangle without width, and a second
 * page whose place in the tree of pages leads back to itself.
 */
export function pdfOfNotes(rotate: 0 | 90): Buffer {
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    `<< /Type /Page /Parent 2 0 R /Rotate ${String(rotate)} /MediaBox [0 0 200 200] /Contents 9 0 R /Annots [5 0 R 6 0 R 7 0 R 8 0 R] >>`,
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Annot /Subtype /Text /F 4 /Name /Help /Contents (Is this the depth?) /Rect [20 150 40 170] >>',
    '<< /Type /Annot /Subtype /Text /F 4 /Name /..#2F..#2Flogo /Rect [100 150 120 170] >>',
    '<< /Type /Annot /Subtype /Text /F 2 /Contents (hidden) /Rect [0 0 20 20] >>',
    '<< /Type /Annot /Subtype /FileAttachment /F 4 /Name /Paperclip /FS << /Type /Filespec /F (tides.csv) >> /Rect [20 20 40 40] >>',
    '<< /Length 20 >>\nstream\n60 10 0 180 re\nf     \nendstream',
  ]);
}

/** Builds a document that can be opened, but whose only page does not exist. */
export function pdfWithoutPage(): Buffer {
  return Buffer.from(
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [9 0 R] /Count 1 >>\nendobj\ntrailer\n<< /Size 3 /Root 1 0 R >>\n%%EOF\n',
    'latin1',
  );
}
