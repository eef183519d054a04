import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../api/client.ts'

export type ComputerPageData = Schemas['ComputerPage']
export type PackageOfComputer = Schemas['PackageOfComputer']

export const computerKey = (id: number) => ['computer', id] as const

/** Contacts of an agent leave no event: the time of the last one is read again now and then. */
const contactMilliseconds = 60_000

/** Everything that the header and the summary show. Tabs read the rest when they are opened. */
export function useComputerPage(id: number) {
  return useQuery({
    queryKey: [...computerKey(id), 'page'],
    queryFn: () => answerOf(api.GET('/api/fleet/computers/{id}', { params: { path: { id } } })),
    refetchInterval: contactMilliseconds,
  })
}
