import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter()
const latin = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f]*$/

/** The columns that a text fills on a terminal. Nearly all texts are Latin, and long lists need not wait for the others. */
export const displayWidth = (text: string) => (latin.test(text) ? text.length : stringWidth(text))

/** The beginning of a text that fits into this many columns of a terminal. */
export function cutToWidth(text: string, maxWidth: number): string {
  let width = 0
  let end = 0
  for (const { segment, index } of segmenter.segment(text)) {
    width += stringWidth(segment)
    if (width > maxWidth) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

export const padEndTo = (text: string, width: number) => text + padding(text, width)
export const padStartTo = (text: string, width: number) => padding(text, width) + text

const padding = (text: string, width: number) => ' '.repeat(Math.max(0, width - displayWidth(text)))
