import { api, versionOf } from '../../api/client.ts'

/** The patch group with its version, as it is changed and deleted. */
export const pmGroupVersionQuery = (id: number) => ({
  queryKey: ['patches', 'group', id, 'version'],
  queryFn: () => versionOf(api.GET('/api/pmgroup/{id}', { params: { path: { id } } })),
})
