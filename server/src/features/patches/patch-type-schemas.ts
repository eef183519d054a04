import { enumOf, Type } from '../../platform/schema.ts'
import { patchTypeNames, patchTypes } from './patch-types.ts'

export const PatchTypeSchema = enumOf(patchTypeNames, { title: 'PatchType' })

export const patchTypeNumbers = Object.values(patchTypes)

/** Accepts the name of a type or its number. */
export const PatchTypeFilter = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  enum: [...patchTypeNames, ...patchTypeNumbers, ...patchTypeNumbers.map(String)],
  examples: ['SecurityPatch'],
  description: 'Name or number of the type. The numbers are 1, 2, 4, 8 and 16, in the order of the names.',
})
