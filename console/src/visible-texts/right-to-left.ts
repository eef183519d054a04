import type { ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

const letter =
  '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}]'

const anyLetter = new RegExp(letter, 'u')

/** From the first to the last such letter of a name. What separates names in a sentence, such as a comma, ends it. */
const words = new RegExp(`${letter}(?:[\\p{M}\\p{N}'"’._ \\u200c\\u200d-]*${letter})*\\p{M}*`, 'gu')

/**
 * A text whose words that are written from right to left are elements of their own. Otherwise a browser would move the
 * numbers and signs beside them, which belong to the sentence.
 */
export function isolateRightToLeft(text: string): ReactNode {
  if (!anyLetter.test(text)) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(words)) {
    parts.push(text.slice(end, index), jsx('bdi', { children: found }))
    end = index + found.length
  }
  return jsxs(Fragment, { children: [...parts, text.slice(end)] })
}
