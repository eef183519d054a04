import { enumOf, Type } from '../../platform/schema.ts'
import { patchTypeNames, patchTypes } from './patch-types.ts'

export const PatchTypeSchema = enumOf(patchTypeNames, { title: 'PatchType' })

export const patchTypeNumbers = Object.values(patchTypes)

/** As others write it: the name, or the number that stands for it. */
export const PatchTypeFilter = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  enum: [...patchTypeNames, ...patchTypeNumbers, ...patchTypeNumbers.map(String)],
  examples: ['SecurityPatch'],
  description: 'The name, or the number: 1, 2, 4, 8 or 16 in the order of the names',
})
