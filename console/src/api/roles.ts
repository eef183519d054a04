import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** All roles with what they allow. Administrators read them. */
export function useRoles({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: ['roles'],
    queryFn: () => answerOf(api.GET('/api/admin/roles')),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
}
