/** Fonts of documents. They have Latin, Greek, Cyrillic and further letters, but none of Chinese, Japanese and Korean. */
export const documentFonts = { regular: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' } as const
