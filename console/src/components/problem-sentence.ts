import { useQuery } from '@tanstack/react-query'
import type { Problem } from '../api/problem.ts'
import { type Language, type Texts, textFor, useTranslation } from '../texts/texts.tsx'

/** Loaded with the first problem: most visits have none. */
const loaders: Record<Language, () => Promise<Record<string, string>>> = {
  en: async () => (await import('../texts/en-problem-sentences.ts')).enProblemSentences,
  de: async () => (await import('../texts/de-problem-sentences.ts')).deProblemSentences,
}

function kindOf(status: number): keyof Texts['problems']['refused'] {
  if (status === 403) return 'role'
  if (status === 404 || status === 410) return 'gone'
  if (status === 429 || status === 503) return 'busy'
  // Without a status, the page itself has failed.
  if (status >= 500 || status < 400) return 'fault'
  return status === 409 || status === 412 ? 'state' : 'input'
}

/**
 * What went wrong, in the language of the person. `isComplete`: the sentence says all there is to say; otherwise the words of the API
 * do.
 */
export function useProblemSentence({ code, status }: Problem): { text: string; isComplete: boolean } {
  const { language, texts } = useTranslation()
  const { data: sentences } = useQuery({
    queryKey: ['problem-sentences', language],
    queryFn: loaders[language],
    staleTime: Infinity,
    retry: false,
  })
  const own = sentences && textFor(sentences, code)
  return own === undefined
    ? { text: texts.problems.refused[kindOf(status)], isComplete: false }
    : { text: own, isComplete: true }
}
