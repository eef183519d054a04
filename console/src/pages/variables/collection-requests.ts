import type { RequestOptions } from '../../actions/reviewed-action.ts'
import { answerOf, api, type Schemas } from '../../api/client.ts'

export type Definition = Schemas['VariableDefinition']
export type Entry = Schemas['VariableCollectionEntry']

/** Where entries are set. */
export type Place = { groupId: string } | { computerId: number }

/** The key under which everything about the place is kept current. */
export const placeKey = (place: Place) =>
  'groupId' in place ? (['group', place.groupId] as const) : (['computer', place.computerId] as const)

/** There are few collections: one page shows all of them. */
export const collectionsQuery = {
  queryKey: ['variable-definitions', 'collections'],
  async queryFn() {
    const { items } = await answerOf(api.GET('/api/variable-definitions', { params: { query: { top: 1000 } } }))
    return items.filter(({ kind }) => kind === 'Collection')
  },
}

export const childrenQuery = (varId: number) => ({
  queryKey: ['variable-definitions', 'children', varId],
  async queryFn() {
    const params = { path: { varId }, query: { top: 1000 } }
    const { items } = await answerOf(api.GET('/api/variable-definitions/{varId}/children', { params }))
    return items
  },
})

export const entriesQuery = (place: Place, varId: number) => ({
  queryKey: [...placeKey(place), 'collection', varId],
  async queryFn() {
    const query = { top: 1000 }
    const { items } = await ('groupId' in place
      ? answerOf(
          api.GET('/api/group/{id}/variables/{varId}/collection', {
            params: { path: { id: place.groupId, varId }, query },
          }),
        )
      : answerOf(
          api.GET('/api/computer/{id}/variables/{varId}/collection', {
            params: { path: { id: place.computerId, varId }, query },
          }),
        ))
    return items
  },
})

type Values = Record<string, string>

/** Adds an entry, or changes the one that is given. */
export function saveEntry(
  place: Place,
  varId: number,
  entry: Entry | undefined,
  values: Values,
  { query, uncounted, headers }: RequestOptions,
) {
  const body = { values }
  if ('groupId' in place) {
    const path = { id: place.groupId, varId }
    return entry
      ? api.PATCH('/api/group/{id}/variables/{varId}/collection/{collectionId}', {
          params: { path: { ...path, collectionId: entry.collectionId }, query },
          body,
        })
      : api.POST('/api/group/{id}/variables/{varId}/collection', { params: { path, query, header: headers }, body })
  }
  const path = { id: place.computerId, varId }
  return entry
    ? api.PATCH('/api/computer/{id}/variables/{varId}/collection/{collectionId}', {
        params: { path: { ...path, collectionId: entry.collectionId }, query: uncounted },
        body,
      })
    : api.POST('/api/computer/{id}/variables/{varId}/collection', {
        params: { path, query: uncounted, header: headers },
        body,
      })
}

export function deleteEntry(
  place: Place,
  varId: number,
  { collectionId }: Entry,
  { query, uncounted }: RequestOptions,
) {
  return 'groupId' in place
    ? api.DELETE('/api/group/{id}/variables/{varId}/collection/{collectionId}', {
        params: { path: { id: place.groupId, varId, collectionId }, query },
      })
    : api.DELETE('/api/computer/{id}/variables/{varId}/collection/{collectionId}', {
        params: {
          path: { id: place.computerId, varId, collectionId },
          query: uncounted,
        },
      })
}
