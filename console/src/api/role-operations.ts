import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

export function useRoleOperations() {
  return useQuery({
    queryKey: ['role-operations'],
    queryFn: () => answerOf(api.GET('/api/admin/role-operations')),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The operations that write to the audit trail. Reads do not. */
export function useOperationNames(): string[] {
  const { data = [] } = useRoleOperations()
  return data
    .flatMap(({ operations }) => operations)
    .filter(({ method }) => method !== 'GET')
    .map(({ operationId }) => operationId)
    .sort()
}
