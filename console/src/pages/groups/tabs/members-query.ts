import { api } from '../../../api/client.ts'
import { groupKey } from '../group-queries.ts'

const pageSize = 100

/** The direct members of a group, page by page. */
export const membersQuery = (id: string, search: string) => ({
  queryKey: [...groupKey(id), 'members', search],
  initialPageParam: undefined as string | undefined,
  async queryFn({ pageParam: cursor }: { pageParam: string | undefined }) {
    const { data, response } = await api.GET('/api/fleet/computers', {
      params: { query: { groupId: [id], top: pageSize, ...(search && { search }), ...(cursor && { cursor }) } },
    })
    if (!data) throw new Error('The service has answered without members.')
    return { ...data, next: cursorIn(response.headers.get('link')) }
  },
  getNextPageParam: ({ next }: { next: string | undefined }) => next,
})

function cursorIn(link: string | null): string | undefined {
  const cursor = link?.match(/[?&]cursor=([^&>]+)/)?.[1]
  return cursor && decodeURIComponent(cursor)
}
