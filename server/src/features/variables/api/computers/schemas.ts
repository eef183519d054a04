import { closed, Id } from '../../../../platform/schema.ts'

export const ComputerVariablePath = closed({ id: Id, varId: Id })

export const ComputerCollectionEntryPath = closed({ id: Id, varId: Id, collectionId: Id })
