import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

type Options = { enabled?: boolean }

export function useRoleOperations({ enabled = true }: Options = {}) {
  return useQuery({
    queryKey: ['role-operations'],
    queryFn: () => answerOf(api.GET('/api/admin/role-operations')),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
}

/** The operations that write to the audit trail. Reads do not. */
export function useOperationNames(options: Options): string[] {
  const { data = [] } = useRoleOperations(options)
  return data
    .flatMap(({ operations }) => operations)
    .filter(({ method }) => method !== 'GET')
    .map(({ operationId }) => operationId)
    .sort()
}
