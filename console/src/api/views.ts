import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from './client.ts'

export type View = Schemas['View']

export const viewsKey = ['views'] as const

/** The saved views of a page: those of the person, and those shared with one of their roles. */
export function useViews(page: View['page']) {
  return useQuery({
    queryKey: [...viewsKey, page],
    queryFn: () => answerOf(api.GET('/api/views', { params: { query: { page, top: 1_000 } } })),
  })
}
