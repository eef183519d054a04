import { useQuery } from '@tanstack/react-query'
import { api, versionOf } from '../../api/client.ts'
import { useLive } from '../../live/use-live.ts'
import { hasEnded } from './describe.ts'

// The service evaluates running rollouts every few seconds, which leaves no event unless the state changes.
const pollMilliseconds = 5_000

/** A rollout with its version, kept current while it runs. */
export function useRollout(id: string) {
  useLive({ types: ['muster.rollout.*', 'muster.work.*'], refreshes: [['rollout', id]] })
  return useQuery({
    queryKey: ['rollout', id],
    queryFn: () =>
      versionOf(api.GET('/api/rollouts/{id}', { params: { path: { id }, query: { include: 'timeLine' } } })),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data.value) ? pollMilliseconds : false),
  })
}
