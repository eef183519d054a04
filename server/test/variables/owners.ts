import { createComputerCollectionEntry } from '../../src/features/variables/api/computers/create-computer-collection-entry.ts'
import { deleteComputerCollectionEntry } from '../../src/features/variables/api/computers/delete-computer-collection-entry.ts'
import { listComputerCollection } from '../../src/features/variables/api/computers/list-computer-collection.ts'
import { listComputerVariables } from '../../src/features/variables/api/computers/list-computer-variables.ts'
import { searchComputerVariables } from '../../src/features/variables/api/computers/search-computer-variables.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { updateComputerCollectionEntry } from '../../src/features/variables/api/computers/update-computer-collection-entry.ts'
import { createGroupCollectionEntry } from '../../src/features/variables/api/groups/create-group-collection-entry.ts'
import { deleteGroupCollectionEntry } from '../../src/features/variables/api/groups/delete-group-collection-entry.ts'
import { listGroupCollection } from '../../src/features/variables/api/groups/list-group-collection.ts'
import { listGroupVariables } from '../../src/features/variables/api/groups/list-group-variables.ts'
import { searchGroupVariables } from '../../src/features/variables/api/groups/search-group-variables.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { updateGroupCollectionEntry } from '../../src/features/variables/api/groups/update-group-collection-entry.ts'
import type { World } from '../world/open-world.ts'

export type OwnerId = number | string
type Filter = { name?: string | null; varId?: number | null; includeInherited?: boolean }
type NewValue = { value?: string | null; schedule?: string | null }
type Page = { skip?: number; top?: number }
type Values = Record<string, string>

/** The operations on variables of computers and the same operations on groups so that one test covers both. */
export async function ownersIn({ as, given }: World) {
  const reader = as('computer.read')
  const writer = as('computer.write')
  const groupReader = as('group.read')
  const groupWriter = as('group.write')
  // The first call creates the principal of a caller. Do it now: tests check that nothing in the database changes.
  for (const caller of [reader, writer, groupReader, groupWriter]) await caller.send({ method: 'GET', url: '/health' })
  const computer = (id: OwnerId) => ({ id: Number(id) })
  const group = (id: OwnerId) => ({ id: String(id) })
  return [
    {
      kind: 'computer',
      unknownId: 2_000_000_000 as OwnerId,
      notFound: 'ComputerNotFound',
      make: async (): Promise<OwnerId> => (await given.computer()).id,
      list: (id: OwnerId, query: Page = {}) => reader.call(listComputerVariables, { params: computer(id), query }),
      search: (id: OwnerId, body: Filter, query: Page = {}) =>
        reader.call(searchComputerVariables, { params: computer(id), body, query }),
      set: (id: OwnerId, varId: number, body: NewValue) =>
        writer.call(setComputerVariable, { params: { ...computer(id), varId }, body }),
      entries: (id: OwnerId, varId: number, query: Page = {}) =>
        reader.call(listComputerCollection, { params: { ...computer(id), varId }, query }),
      addEntry: (id: OwnerId, varId: number, values: Values) =>
        writer.call(createComputerCollectionEntry, { params: { ...computer(id), varId }, body: { values } }),
      changeEntry: (id: OwnerId, varId: number, collectionId: number, values: Values) =>
        writer.call(updateComputerCollectionEntry, {
          params: { ...computer(id), varId, collectionId },
          body: { values },
        }),
      removeEntry: (id: OwnerId, varId: number, collectionId: number) =>
        writer.call(deleteComputerCollectionEntry, { params: { ...computer(id), varId, collectionId } }),
    },
    {
      kind: 'group',
      unknownId: '00000000-0000-4000-8000-000000000000' as OwnerId,
      notFound: 'GroupNotFound',
      make: async (): Promise<OwnerId> => (await given.group()).id,
      list: (id: OwnerId, query: Page = {}) => groupReader.call(listGroupVariables, { params: group(id), query }),
      search: (id: OwnerId, body: Filter, query: Page = {}) =>
        groupReader.call(searchGroupVariables, { params: group(id), body, query }),
      set: (id: OwnerId, varId: number, body: NewValue) =>
        groupWriter.call(setGroupVariable, { params: { ...group(id), varId }, body }),
      entries: (id: OwnerId, varId: number, query: Page = {}) =>
        groupReader.call(listGroupCollection, { params: { ...group(id), varId }, query }),
      addEntry: (id: OwnerId, varId: number, values: Values) =>
        groupWriter.call(createGroupCollectionEntry, { params: { ...group(id), varId }, body: { values } }),
      changeEntry: (id: OwnerId, varId: number, collectionId: number, values: Values) =>
        groupWriter.call(updateGroupCollectionEntry, {
          params: { ...group(id), varId, collectionId },
          body: { values },
        }),
      removeEntry: (id: OwnerId, varId: number, collectionId: number) =>
        groupWriter.call(deleteGroupCollectionEntry, { params: { ...group(id), varId, collectionId } }),
    },
  ]
}
