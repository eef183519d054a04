const segmenter = new Intl.Segmenter()
const combining = /^\p{Mn}+$/u
const narrow = /^[\u0020-\u10ff]*$/
/** Scripts whose characters fill two columns, and the forms and symbols of the same width. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u

/** The columns that a text fills on a terminal. */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length
  return Array.from(segmenter.segment(text), ({ segment }) => segmentWidth(segment)).reduce((sum, one) => sum + one, 0)
}

/** The beginning of a text that fits into this many columns. */
export function cutToWidth(text: string, maxWidth: number): string {
  let width = 0
  let end = 0
  for (const { segment, index } of segmenter.segment(text)) {
    width += segmentWidth(segment)
    if (width > maxWidth) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

export const padEndTo = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - displayWidth(text)))
export const padStartTo = (text: string, width: number) => ' '.repeat(Math.max(0, width - displayWidth(text))) + text

/** Nearly all texts; asking for the segments of each cell of a long list would take longer than the list. */
const isNarrow = (text: string) => narrow.test(text) && !/\p{Mn}/u.test(text)

function segmentWidth(segment: string): number {
  if (combining.test(segment)) return 0
  return wide.test(segment) || emoji.test(segment) ? 2 : 1
}
