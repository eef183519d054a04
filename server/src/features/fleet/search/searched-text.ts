import { type RawBuilder, sql } from 'kysely'
import { containing, literal } from '../../../platform/like-pattern.ts'

/** The index of trigrams cannot find shorter parts of a text. Those are only searched at the beginning of names. */
const minContained = 3

/** The candidates of each source that are ranked. A text that more of them contain is not specific yet. */
export const maxCandidates = 200

/** What somebody searches for, in the forms in which the sources are compared with it. */
export type SearchedText = {
  text: string
  words: readonly string[]
  /** Whether an index can find texts that contain it anywhere. */
  isContainable: boolean
  /** The LIKE pattern of texts that contain it. */
  pattern: string
  /** The LIKE pattern of the text itself. */
  itself: string
}

export function toSearchedText(search: string): SearchedText {
  const text = search.normalize('NFC').trim().replace(/\s+/g, ' ')
  return {
    text,
    words: text.split(' ').filter((word) => word !== ''),
    isContainable: [...text].length >= minContained,
    pattern: containing(text),
    itself: literal(text),
  }
}

/** How well a column matches: 0 if it is the text, 1 if it begins with it, 2 if a word in it does, otherwise 3. */
export function qualityOf(column: RawBuilder<string | null>, { text }: SearchedText): RawBuilder<number> {
  return sql<number>`case
    when lower(${column}) = lower(${text}) then 0
    when starts_with(lower(${column}), lower(${text})) then 1
    when strpos(regexp_replace(lower(${column}), '[^[:alnum:]]+', ' ', 'g'),
      ' ' || regexp_replace(lower(${text}), '[^[:alnum:]]+', ' ', 'g')) > 0 then 2
    else 3 end`
}

/** Whether a column contains every word of the text. */
export function containsWords(column: RawBuilder<string | null>, { words }: SearchedText): RawBuilder<boolean> {
  return sql<boolean>`${sql.join([sql`true`, ...words.map((word) => sql`${column} ilike ${containing(word)}`)], sql` and `)}`
}
