import { closed, Id, Uuid } from '../../../../platform/schema.ts'

export const GroupVariablePath = closed({ id: Uuid, varId: Id })

export const GroupCollectionEntryPath = closed({ id: Uuid, varId: Id, collectionId: Id })
